# SPDX-License-Identifier: MIT
# The ring's protocol, every interleaving of it, and proof that the model would notice: with a step
# left out it must find an error.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need spin gcc

# verify MODEL MODE: exit status 0 if no state violates an assertion
verify()
{
	rm -f pan pan.c *.trail
	spin -DOVERWRITE="$2" -a "$1" > spin.out 2>&1 || return 2
	gcc -O2 -DSAFETY -w -o pan pan.c || return 2
	./pan -m1000000 > pan.out 2>&1 || return 2
	grep -q 'errors: 0' pan.out
}

# mutant NAME MODE SED-EXPRESSION: the model must not hold any more
mutant()
{
	sed "$3" "$TACHO_SOURCE/tests/model/ring.pml" > mutant.pml
	cmp -s mutant.pml "$TACHO_SOURCE/tests/model/ring.pml" && { not_ok "$1" 'nothing changed'; return; }
	verify mutant.pml "$2"
	if [ $? -eq 1 ]; then ok "$1"; else not_ok "$1" 'the model did not notice'; fi
}

check discard_mode_holds_in_every_interleaving verify "$TACHO_SOURCE/tests/model/ring.pml" 0
check overwrite_mode_holds_in_every_interleaving verify "$TACHO_SOURCE/tests/model/ring.pml" 1
mutant not_announcing_an_opened_subbuffer_is_noticed 1 '/open:A/d'
mutant committing_before_the_record_is_noticed 1 's/record\[AT(h)\] = h;/head = h + 1; &/'
mutant reusing_an_unreleased_subbuffer_is_noticed 0 's/k - PLACES >= released/k - PLACES > released/'
mutant not_checking_after_the_copy_is_noticed 1 's/opened > k + PLACES/false/'
mutant releasing_before_the_copy_is_noticed 0 \
	's/i = 0;$/released = (OVERWRITE -> 0 : (k < SUBBUF(seen) -> k + 1 : released)); i = 0;/'
