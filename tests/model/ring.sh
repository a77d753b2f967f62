# SPDX-License-Identifier: MIT
# The protocols of the ring, every interleaving of them; and proof that the models would notice: with a
# barrier or a step taken away there must be an error.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need spin gcc

optimize=-O1

# verify MODEL [-DSWITCH=N..]: exit status 0 if no state violates an assertion, 1 if one does
verify()
{
	model=$TACHO_SOURCE/tests/model/$1.pml
	shift
	rm -f pan pan.* *.trail
	spin "$@" -a "$model" > spin.out 2>&1 || return 2
	gcc $optimize -DSAFETY -w -o pan pan.c || return 2
	./pan -E -m100000 > pan.out 2>&1 || return 2
	if grep -q 'errors: 0' pan.out; then
		! grep -q 'search depth too small' pan.out || return 2
		return 0
	fi
	grep -q 'assertion violated' pan.out || return 2
	return 1
}

# mutant NAME MODEL -DSWITCH=0 [-D..]: the model must not hold any more
mutant()
{
	name=$1
	shift
	verify "$@"
	status=$?
	case $status in
		0) not_ok "$name" 'the model did not notice' ;;
		1) ok "$name" ;;
		*) not_ok "$name" "$(cat spin.out pan.out)" ;;
	esac
}

check discard_mode_holds_in_every_interleaving verify ring
check overwrite_mode_holds_in_every_interleaving verify ring -DOVERWRITE=1
check three_portable_writers_hold_in_every_interleaving verify own
check portable_writers_in_two_pid_namespaces_do verify own -DNAMESPACES=2
check two_portable_writers_of_more_records_do verify own -DWRITERS=2 -DEVENTS=2

# Quickly compiled: an error is found soon.
optimize=-O0
mutant not_announcing_an_opened_subbuffer_is_noticed ring -DOVERWRITE=1 -DOPEN_A=0
mutant overwriting_before_the_announcement_is_noticed ring -DOVERWRITE=1 -DOPEN_B=0
mutant not_saying_where_the_content_ends_is_noticed ring -DOPEN_C=0
mutant committing_before_the_record_is_noticed ring -DWRITE_B=0
mutant reading_the_record_before_the_head_is_noticed ring -DREAD_A=0
mutant checking_before_the_copy_is_noticed ring -DOVERWRITE=1 -DREAD_C=0
mutant not_checking_after_the_copy_is_noticed ring -DOVERWRITE=1 -DREAD_D=0
mutant releasing_before_the_copy_is_noticed ring -DREAD_E=0
mutant reusing_an_unreleased_subbuffer_is_noticed ring -DFULL=0
mutant counting_losses_by_load_and_store_is_noticed ring -DCOUNT_LOST=0
mutant going_on_after_an_interruption_is_noticed ring -DRESTART=0
mutant not_checking_the_plan_is_noticed ring -DCHECK_HEAD=0
mutant reading_the_clock_before_the_section_is_noticed ring -DCLOCK_INSIDE=0
mutant a_drain_that_forgets_where_it_was_is_noticed ring -DRESUME=0
mutant writing_without_owning_is_noticed own -DOWN=0
mutant taking_a_ring_from_one_who_lives_is_noticed own -DLOOK_FOR_DEATH=0
mutant taking_over_by_a_store_is_noticed own -DEXCHANGE=0
mutant disowning_before_the_stores_is_noticed own -DOWN_B=0
mutant a_state_that_is_changed_while_valid_is_noticed own -DSTATE_A=0
mutant a_state_that_comes_after_its_head_is_noticed own -DSTATE_FIRST=0
mutant believing_the_state_of_another_head_is_noticed own -DCHECK_STATE=0
mutant asking_for_an_owner_of_another_pid_namespace_is_noticed own -DNAMESPACES=2 -DASK_AT_HOME=0
mutant a_child_that_goes_on_below_the_owner_is_noticed own -DCHILD_LEAVES=0
mutant a_handler_that_writes_below_its_thread_is_noticed own -DOWN_ONCE=0
