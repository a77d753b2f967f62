# SPDX-License-Identifier: MIT
# The module as it is built: by DKMS itself, in trees of the test's own; what sparse says about it; where its
# structures lie.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/kernel/lib/boot.sh"
kernel_need_headers

version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$TACHO_SOURCE/kernel/dkms.conf")

# Nothing of the machine's own trees is touched, and no key is made to sign with.
dkms_here() # ACTION OPTIONS..
{
	local action=$1
	shift
	sign_file=$TMP/none dkms "$action" "tacho/$version" --dkmstree "$TMP/tree" \
		--sourcetree "$TMP/sources/usr/src" "$@" >>"$TMP/dkms.log" 2>&1
}

dkms_does() # ACTION OPTIONS..
{
	dkms_here "$@" && return
	show "$TMP/dkms.log"
	return 1
}

installed()
{
	find "$TMP/installed" -name 'tacho.ko*'
}

# A module of this kernel, which the other one cannot say about itself without its file.
is_installed()
{
	local file
	file=$(installed)
	[ -n "$file" ] && [ "$(modinfo -F vermagic "$file" | cut -d ' ' -f 1)" = "$kernel_release" ]
}

is_removed()
{
	dkms_does remove -k "$kernel_release" --installtree "$TMP/installed" --no-depmod &&
		[ -z "$(installed)" ]
}

with_dkms()
{
	command -v dkms >/dev/null || {
		skip dkms_builds_the_module 'dkms is not installed'
		return
	}
	mkdir -p "$TMP/tree" "$TMP/installed/$kernel_release"
	make -s -C "$TACHO_SOURCE/kernel" dkms DESTDIR="$TMP/sources"
	check dkms_adds_the_module dkms_does add
	check dkms_builds_the_module dkms_does build -k "$kernel_release" --kernelsourcedir "$kernel_headers"
	check dkms_installs_the_module \
		dkms_does install -k "$kernel_release" --installtree "$TMP/installed" --no-depmod
	check what_dkms_installed_is_for_that_kernel is_installed
	check dkms_removes_the_module is_removed
}

# C=2: all files are looked at, also those that are built.
sparse_finds_nothing()
{
	make -C "$kernel_tree/kernel" KERNELDIR="$kernel_headers" C=2 modules >"$TMP/sparse.log" 2>&1 &&
		kernel_no_warning "$TMP/sparse.log"
}

with_sparse()
{
	if command -v sparse >/dev/null; then
		check sparse_finds_nothing sparse_finds_nothing
	else
		skip sparse_finds_nothing 'sparse is not installed'
	fi
}

# Lines as TACHO_LINE_BYTES has them, from pahole's "TYPE NAME; /* OFFSET BYTES */": those of members NAME..
lines_of() # STRUCTURE NAME..
{
	local structure=$1
	shift
	pahole -C "$structure" "$kernel_tree/kernel/tacho.ko" | awk -v names="$*" '
		BEGIN { split(names, list); for (i in list) wanted[list[i]] }
		match($0, /\/\* *[0-9]+ +[0-9]+ \*\//) {
			split(substr($0, RSTART + 2), at)
			name = $0
			sub(/(\[[0-9]+\])?;.*/, "", name)
			sub(/.*[ \t*]/, "", name)
			if (name in wanted)
				for (line = int(at[1] / 128); line <= int((at[1] + at[2] - 1) / 128); line++)
					print line
		}' | sort -nu
}

bytes_of() # STRUCTURE
{
	pahole -C "$1" "$kernel_tree/kernel/tacho.ko" | sed -n 's,.*/\* size: \([0-9]*\).*,\1,p'
}

drain_has_lines_of_its_own()
{
	lines_of tacho_ring head opened lost subbuf >"$TMP/writer"
	lines_of tacho_ring released release_futex >"$TMP/drain"
	[ "$(wc -l <"$TMP/writer")" -gt 30 ] && [ "$(wc -l <"$TMP/drain")" = 1 ] &&
		[ -z "$(sort "$TMP/writer" "$TMP/drain" | uniq -d)" ]
}

rings_have_pages_of_their_own()
{
	[ "$(bytes_of tacho_ring)" -gt 0 ] && [ $(($(bytes_of tacho_ring) % 4096)) = 0 ]
}

# Per CPU, they begin at a line, and what the path of an event uses of one is in a single line.
writers_have_lines_of_their_own()
{
	[ $(($(bytes_of writer) % 128)) = 0 ] &&
		[ "$(lines_of writer depth reserved published last_ts thread)" = 0 ]
}

# What all CPUs read on that path, nobody writes: there is no static data that could be.
probes_have_no_data()
{
	! nm "$kernel_tree/kernel/probe.o" | grep ' [BbCDdGgSs] '
}

with_pahole()
{
	command -v pahole >/dev/null || {
		skip no_line_of_a_structure_is_written_by_two 'pahole (dwarves) is not installed'
		return
	}
	check the_drain_writes_to_lines_that_no_cpu_writes_to drain_has_lines_of_its_own
	check rings_have_pages_of_their_own rings_have_pages_of_their_own
	check writers_have_lines_of_their_own writers_have_lines_of_their_own
	check probes_have_no_data_that_is_written probes_have_no_data
}

check the_module_builds_without_a_warning kernel_build_modules
with_sparse
with_pahole
with_dkms
