# SPDX-License-Identifier: MIT
# The kernel's events without the module, on Debian's kernel, which has more than some kernels that tests
# run on: kprobes, and arguments of them. The tests of tests/e2e are run there as they are.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/kernel/lib/boot.sh"
need babeltrace2
kernel_need_image
tests='kernel_probes'

libraries_of() # FILE: what it needs goes where it is here
{
	local library
	ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
		[ -e "$kernel_root/$library" ] || cp -L --parents "$library" "$kernel_root"
	done
}

copy() # FILE
{
	cp -L --parents "$1" "$kernel_root" && libraries_of "$1"
}

copy_commands() # NAME..
{
	local name
	for name; do
		copy "$(type -P "$name")" || return
	done
}

# What the tests look for in $TACHO_SOURCE and $TACHO_BUILD: these may be below /tmp, where the guest has
# another.
copy_ours()
{
	local name
	mkdir -p "$kernel_root"/{source/tests/e2e,build/{cli,tests/e2e,lib/tracer}}
	libraries_of "$TACHO"
	cp "$TACHO" "$kernel_root/build/cli"
	cp "$TACHO_BUILD"/tests/e2e/kernel_{probes,pairs} "$kernel_root/build/tests/e2e" || return
	cp "$TACHO_BUILD/lib/tracer/libtacho.so.0" "$kernel_root/build/lib/tracer" || return
	cp "$TACHO_SOURCE/README.md" "$kernel_root/source"
	cp "$TACHO_SOURCE"/tests/lib{,_kernel}.sh "$kernel_root/source/tests"
	for name in $tests; do
		cp "$TACHO_SOURCE/tests/e2e/$name.sh" "$kernel_root/source/tests/e2e" || return
	done
}

fill_guest()
{
	local plugin
	kernel_build_init || return
	copy_commands bash env babeltrace2 awk grep sed mount umount mktemp realpath dirname basename id \
		cat cp rm mkdir ls stat chmod tail head tr wc sort uniq cut diff touch sleep nproc true ||
		return
	ln -s bash "$kernel_root$(command -v bash | sed 's,/[^/]*$,,')/sh"
	[ -e "$kernel_root/bin" ] || ln -s usr/bin "$kernel_root/bin"
	for plugin in /usr/lib/*/babeltrace2/plugins/*.so; do
		copy "$plugin" || return
	done
	copy_ours
}

boots()
{
	local name lines=()
	for name in $tests; do
		lines+=("$(command -v env) TACHO_BUILD=/build bash /source/tests/e2e/$name.sh")
	done
	kernel_boot "$TMP/guest" 1024 -smp 2 -accel tcg,thread=single -- "${lines[@]}"
}

if ! fill_guest; then
	not_ok the_guest_has_what_it_needs 'a file is missing'
elif boots; then
	sed -i 's/^\(\(not \)\?ok\) [0-9]* - /\1 - /' "$TMP/guest"
	kernel_cases "$TMP/guest" 'on a stock kernel'
else
	not_ok the_guest_ends "$(tail -n 30 "$TMP/guest")"
fi
