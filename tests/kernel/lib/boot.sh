# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# boot.sh - the module on a booted kernel, emulated; for tests that have read tests/lib.sh.
#	kernel_need             skip_all unless there are a kernel, its headers, and an emulator
#	kernel_need_headers     the same without the emulator, for what only builds
#	kernel_need_image       the same without headers, for what has no module
#	kernel_use VMLINUZ HEADERS    boot this one from now on, whose headers are in that package;
#	                        false: $kernel_why says why not
#	kernel_build_modules    tacho.ko and tacho_fire.ko, in $kernel_tree; false with a warning
#	kernel_build_init       the guest's first process; part of
#	kernel_build_guest PROGRAM..      static, from tests/kernel/PROGRAM.c, into the guest's /
#	kernel_put PROGRAM..    programs of this machine, with their libraries, into the guest's /bin
#	kernel_boot LOG MEGABYTES QEMU_OPTIONS.. -- LINE..    runs each line in the guest, and sends it
#	                        NMIs when it asks for them on its second serial line
#	kernel_cases LOG NOTE   the cases that the guest ran become ours
#
# The kernel is what tools/get-kernel has put there, in `make check`; TACHO_AMD64_KERNEL names another.
kernel_root=$TMP/root

kernel_release_of() # VMLINUZ: its header says where the text is
{
	local at
	at=$(od -An -tu2 -j 526 -N 2 "$1")
	tail -c "+$((at + 0x201))" "$1" | head -c 64 | tr '\0 ' '\n' | head -n 1
}

# As it is before it is packed, it boots in a third of the time. xz does not like what stands behind its
# data; the head of the result says whether it is one.
kernel_unpack() # VMLINUZ
{
	local at
	at=$(LC_ALL=C grep -obUaP '\xfd7zXZ\x00' "$1" | head -n 1 | cut -d : -f 1)
	kernel_why="$1 is packed in another way than by xz"
	tail -c "+$((at + 1))" "$1" | xz -dc >"$TMP/vmlinux" 2>/dev/null
	[ "$(head -c 4 "$TMP/vmlinux" | tail -c 3)" = ELF ]
}

kernel_need()
{
	need qemu-system-x86_64 cpio
	kernel_need_headers
}

kernel_image=${TACHO_AMD64_KERNEL:-$TACHO_BUILD/amd64/vmlinuz}

kernel_need_headers()
{
	[ "$(uname -m)" = x86_64 ] || skip_all 'the kernel that is booted is for x86-64'
	need gcc make xz
	kernel_use "$kernel_image" linux-headers-amd64 || skip_all "$kernel_why"
	mkdir -p "$kernel_root"
}

kernel_need_image()
{
	[ "$(uname -m)" = x86_64 ] || skip_all 'the kernel that is booted is for x86-64'
	need qemu-system-x86_64 cpio gcc xz
	[ -e "$kernel_image" ] || skip_all "no kernel: tools/get-kernel amd64 ${kernel_image%/*}"
	kernel_unpack "$kernel_image" || skip_all "$kernel_why"
	mkdir -p "$kernel_root"
}

kernel_use()
{
	kernel_why="no kernel: tools/get-kernel ${2#linux-headers-} ${1%/*}"
	[ -e "$1" ] || return
	kernel_release=$(kernel_release_of "$1")
	kernel_headers=/lib/modules/$kernel_release/build
	kernel_why="no headers of Linux $kernel_release: $2"
	[ -e "$kernel_headers" ] || return
	kernel_unpack "$1"
}

# The kernel's Makefile compares compilers, that of the headers and this one: no warning of ours.
kernel_no_warning() # LOG
{
	! grep -v 'the compiler differs\|The kernel was built by\|You are using' "$1" |
		grep -i 'warning\|error'
}

kernel_make() # FOLDER
{
	make -C "$kernel_headers" M="$1" W=1 modules >>"$TMP/make.log" 2>&1
}

kernel_build_modules()
{
	rm -rf "$TMP/dkms" "$TMP/fire"
	make -s -C "$TACHO_SOURCE/kernel" dkms DESTDIR="$TMP/dkms" >"$TMP/make.log" 2>&1 || return
	kernel_tree=$(echo "$TMP"/dkms/usr/src/tacho-*)
	cp -r "$TACHO_SOURCE/tests/kernel/fire" "$TMP/fire"
	make -C "$kernel_tree/kernel" KERNELDIR="$kernel_headers" W=1 >>"$TMP/make.log" 2>&1 || return
	kernel_make "$TMP/fire" || return
	kernel_no_warning "$TMP/make.log" || return
	cp "$kernel_tree/kernel/tacho.ko" "$TMP/fire/tacho_fire.ko" "$kernel_root"
	strip --strip-debug "$kernel_root"/*.ko
}

kernel_build_init()
{
	gcc -O1 -w -static -o "$kernel_root/init" "$TACHO_SOURCE/tests/worlds/lib/init.c"
}

kernel_build_guest()
{
	local s=$TACHO_SOURCE program
	kernel_build_init || return
	for program; do
		gcc -std=gnu17 -O1 -Wall -D_GNU_SOURCE -I"$s" -I"$s/lib" -I"$s/tests/kernel" \
			-static -pthread -o "$kernel_root/$program" "$s/tests/kernel/$program.c" \
			"$s"/tests/kernel/lib/*.c "$s/lib/ring/rings.c" \
			"$s"/lib/base/{fd,error,str}.c || return
	done
}

kernel_put()
{
	local program file
	mkdir -p "$kernel_root/bin"
	for program; do
		program=$(type -P "$program") && cp -L "$program" "$kernel_root/bin" || return
		while read -r file; do
			mkdir -p "$kernel_root/${file%/*}" && cp -L "$file" "$kernel_root$file" || return
		done < <(ldd "$program" | grep -o '/[^ ]*')
	done
}

kernel_boot()
{
	local log=$1 memory=$2 options=()
	shift 2
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	printf '%s\n' "$@" >"$kernel_root/run"
	(cd "$kernel_root" && find . | cpio -o -H newc --quiet) >"$TMP/initrd" || return
	"$TACHO_SOURCE/tests/kernel/lib/nmis.py" "$TMP/monitor" "$TMP/ask" >"$TMP/nmis" 2>&1 &
	timeout 1500 qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none -machine q35 \
		-cpu max -m "$memory" -serial stdio -serial "unix:$TMP/ask,server=on,wait=off" \
		-qmp "unix:$TMP/monitor,server=on,wait=off" -kernel "$TMP/vmlinux" -initrd "$TMP/initrd" \
		-append "console=ttyS0 quiet panic=-1 oops=panic tsc=reliable no_timer_check mitigations=off \
rcupdate.rcu_expedited=1 nokaslr norandmaps" \
		"${options[@]}" </dev/null >"$log.raw" 2>&1
	wait
	rm -f "$TMP/monitor" "$TMP/ask"
	tr -d '\r' <"$log.raw" >"$log"
	has "$log" '# all was run'
}

kernel_cases()
{
	local line
	while read -r line; do
		case $line in
			'ok - '*) ok "${line#ok - }, $2" ;;
			'not ok - '*) not_ok "${line#not ok - }, $2" "$(tail -n 30 "$1")" ;;
			'# at '*) printf '%s\n' "$line" ;;
		esac
	done <"$1"
}
