#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view --symbols: addresses are the functions and lines that addr2line finds.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need gcc addr2line objcopy python3

cat >shop.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>

__attribute__((noinline)) void *make(size_t bytes)
{
	void *block = malloc(bytes);

	return block;
}

__attribute__((noinline)) static void use(void)
{
	void *block = make(1234);

	free(block);
}

int main(int argc, char **argv)
{
	use();
	if (argc > 1) {
		void *library = dlopen(argv[1], RTLD_NOW);
		void (*plug)(void) = (void (*)(void))dlsym(library, "plug");

		plug();
		dlclose(library);
	}
	return 0;
}
END
cat >plugin.c <<'END'
#include <stdlib.h>
void plug(void);
void plug(void)
{
	void *volatile block = malloc(4321);

	free(block);
}
END
cat >judge.py <<'END'
"""judge.py EXECUTABLE LINES BASE: what view says of each caller is what addr2line says of it"""
import json
import subprocess
import sys

executable, wrong, seen = sys.argv[1], 0, 0
dump = {}
for text in open(sys.argv[2]):
    line = json.loads(text)
    if line.get('event') in ('lttng_ust_statedump:bin_info', 'lttng_ust_lib:load'):
        dump[line['fields']['path']] = line['fields']['baddr']
    if line.get('fields', {}).get('size') not in (1234, 4321):
        continue
    seen += 1
    address = line['fields']['caller'] - dump[executable] + int(sys.argv[3], 16) - 1
    function, place = subprocess.run(['addr2line', '-fe', executable, hex(address)], capture_output=True,
                                     text=True, check=True).stdout.split()[:2]
    said = line['symbols']['caller']
    if not said.startswith(function + '+0x') or not said.endswith(' at ' + place):
        wrong += 1
        print(f'{said}, not {function} at {place}')
sys.exit(0 if seen and not wrong else 1)
END

record() # PROGRAM ARGUMENTS..: into trace
{
	rm -rf trace
	"$TACHO" record --libs --malloc -o trace -- "$@" 2>err || show err
}

says() # NAME TEXT: of the block of 1234 bytes
{
	"$TACHO" view --symbols trace 2>err | grep 'size = 1234,' >out
	check "$1" has out "$2"
}

agrees() # NAME EXECUTABLE BASE
{
	"$TACHO" view --symbols --json trace >lines
	check "$1" python3 -B judge.py "$2" lines "$3"
}

gcc -g -O1 -fPIE -pie shop.c -o pie && gcc -g -O1 -no-pie shop.c -o fixed &&
	gcc -g -O1 -shared -fPIC plugin.c -o plugin.so || not_ok 'programs_are_compiled' 'they are not'
record ./pie
if "$TACHO" view --symbols trace 2>&1 >out | grep -q 'without libdw'; then
	says 'without_libdw_there_are_functions' '<make+0x'
	exit "$((lib_failures > 0))"
fi
says 'a_caller_is_function_and_line' "<make+0x"
says 'with_its_file' "at $TMP/shop.c:6>"
agrees 'addr2line_says_the_same' "$TMP/pie" 0
"$TACHO" stats --malloc --symbols trace >out
check 'statistics_name_the_caller' grep -q "make+0x.* at $TMP/shop.c:6" out
"$TACHO" stats --malloc --symbols --json trace >out
check 'also_as_json' grep -q "make+0x.* at $TMP/shop.c:6" out
record ./fixed
agrees 'of_a_program_that_is_never_moved_too' "$TMP/fixed" 0x400000
record ./pie ./plugin.so
"$TACHO" view --symbols --json trace | grep -v ':1234[,}]' >lines
check 'of_a_library_that_is_gone_again_too' python3 -B judge.py "$TMP/plugin.so" lines 0

# ---- paths that do not begin at the root; addr2line 2.40 takes the wrong file in DWARF 5

mkdir source source/parts
sed -n '/noinline)) void/,/^}/p' shop.c >source/parts/make.h
{
	printf '#include <%s>\n' dlfcn.h stdlib.h
	echo '#include "parts/make.h"'
	sed -n '/static void use/,$p' shop.c
} >source/shop.c
for compiler in clang gcc; do
	for version in 4 5; do
		name="files_of_${compiler}_are_named_in_full_in_DWARF_$version"
		if ! command -v "$compiler" >out; then
			skip "$name" "$compiler is not installed"
			continue
		fi
		(cd source && "$compiler" -g "-gdwarf-$version" -gz -O1 -fPIE -pie shop.c -o ../relative)
		record ./relative
		"$TACHO" view --symbols trace 2>err | grep 'size = 1234,' | sed 's,/\./,/,g' >out
		check "$name" has out " at $TMP/source/parts/make.h:3>"
	done
done

# ---- C++, and calls that were put in place

cat >cart.h <<'END_OF_FILE'
#include <cstdlib>
namespace shop {
template <typename T> struct Box {
	__attribute__((always_inline)) void *fill(std::size_t count) const
	{
		return std::malloc(count * sizeof(T));
	}
};
}
END_OF_FILE
cat >cart.cpp <<'END_OF_FILE'
#include "cart.h"
namespace shop {
class Cart {
public:
	__attribute__((noinline)) void *add(long count) const;
};
static inline __attribute__((always_inline)) void *put(long count)
{
	Box<char> box;

	return box.fill(static_cast<std::size_t>(count));
}
void *Cart::add(long count) const
{
	void *block = put(count);

	asm volatile("" ::: "memory");
	return block;
}
}
namespace {
__attribute__((noinline)) void *hidden(long count)
{
	void *block = shop::Cart().add(count);

	asm volatile("" ::: "memory");
	return block;
}
}
int main()
{
	std::free(hidden(1234));
	return 0;
}
END_OF_FILE
cat >frames.py <<'END_OF_FILE'
"""frames.py EXECUTABLE LINES: what view says of the block of 1234 bytes is what addr2line -Cif says"""
import json
import os
import subprocess
import sys

base, caller, said = None, None, None
for text in open(sys.argv[2]):
    line = json.loads(text)
    fields = line.get('fields', {})
    if line.get('event') == 'lttng_ust_statedump:bin_info' and fields['path'] == sys.argv[1]:
        base = fields['baddr']
    if fields.get('size') == 1234:
        caller, said = fields['caller'], line['symbols']['caller']
out = subprocess.run(['addr2line', '-Cife', sys.argv[1], hex(caller - base - 1)], capture_output=True,
                     text=True, check=True).stdout.splitlines()
parts = [part.rsplit(' at ', 1) for part in said.split(', inlined into ')]
parts[-1][0] = parts[-1][0].rsplit('+0x', 1)[0]
want = [[out[i], out[i + 1].split(' (')[0]] for i in range(0, len(out), 2)]
# Not all compilers say where a file is from the root on.
for part in parts + want:
    part[1] = os.path.abspath(part[1])
same = parts == want
if not same:
    print('#', parts, want)
sys.exit(not same)
END_OF_FILE
if command -v g++ >/dev/null; then
	g++ -g -O2 -fPIE -pie cart.cpp -o cart
	record ./cart
	says 'names_of_cxx_are_spelled' 'shop::Cart::add(long) const+0x'
	where="<shop::Box<char>::fill(unsigned long) const at $TMP/cart.h:6"
	where+=", inlined into put at $TMP/cart.cpp:11"
	says 'calls_that_were_put_in_place_are_named' "$where, inlined into shop::Cart::add"
	"$TACHO" view --symbols --json trace >lines
	check 'addr2line_says_the_same_of_each' python3 -B frames.py "$TMP/cart" lines
	"$TACHO" stats --malloc --symbols trace >out
	check 'statistics_name_them_too' grep -q 'inlined into shop::Cart::add(long) const+0x' out
	g++ -g -gdwarf-4 -O2 -fPIE -pie cart.cpp -o cart && record ./cart
	"$TACHO" view --symbols --json trace >lines
	check 'also_in_dwarf_4' python3 -B frames.py "$TMP/cart" lines
	objcopy --only-keep-debug cart cart.debug && strip cart && objcopy --add-gnu-debuglink=cart.debug cart
	"$TACHO" view --symbols --json trace >lines
	sed -i "s|\"path\":\"$TMP/cart\"|\"path\":\"$TMP/cart.debug\"|" lines
	check 'also_of_what_was_stripped' python3 -B frames.py "$TMP/cart.debug" lines
	if command -v clang++ >/dev/null; then
		clang++ -g -O2 -fPIE -pie cart.cpp -o cart && record ./cart
		"$TACHO" view --symbols --json trace >lines
		check 'also_of_clang' python3 -B frames.py "$TMP/cart" lines
	fi
else
	skip 'names_of_cxx_are_spelled' 'g++ is not installed'
fi

# ---- where events are

line=$(grep -n 'tacho_event(net, request' "$TACHO_SOURCE/tests/e2e/known_values.c" | cut -d: -f1)
"$TACHO" record -o values -- "$TACHO_BUILD/tests/e2e/known_values" 2 2>err
"$TACHO" view --source --event net:request values >out
check 'an_event_says_where_it_is' grep -q "net:request id = 0 at .*known_values\.c:$line\$" out
"$TACHO" view --source --json --event net:request values >out
check 'also_as_json' grep -q "known_values\.c:$line\"" out
expect_case 'no_other_form_has_it' 2 "$TACHO" view --source --csv values

# ---- files that are not what they were

gcc -O1 -g -fPIE -pie shop.c -o plain && record ./plain
objcopy --only-keep-debug plain plain.debug && strip plain
says 'without_symbols_there_is_an_offset' '<plain+0x'
objcopy --add-gnu-debuglink=plain.debug plain
says 'a_file_beside_it_has_them' "<make+0x"
says 'and_the_lines' "at $TMP/shop.c:6>"
mkdir .debug && mv plain.debug .debug/
says 'or_in_a_directory_beside_it' "at $TMP/shop.c:6>"
gcc -O0 -g -fPIE -pie shop.c -o .debug/plain.debug
says 'those_of_another_build_do_not_count' '<plain+0x'
gcc -O0 -g -fPIE -pie shop.c -o plain
says 'nor_does_another_program' 'the file is of another build>'
rm plain
says 'one_that_is_gone_is_said_to_be' 'the file is not there>'
mkfifo plain
says 'a_pipe_is_none' 'the file is no ELF file'
rm plain && head -c 3000 pie >plain
says 'nor_is_half_a_file' 'plain+0x'

"$TACHO" record --malloc -o bare -- ./pie 2>err
expect_case 'without_libs_there_are_addresses' 0 "$TACHO" view --symbols bare
check 'and_a_word_about_it' has err 'record --libs'
expect_case 'symbols_are_for_people' 2 "$TACHO" view --symbols --csv trace
expect_case 'and_for_blocks' 2 "$TACHO" stats --symbols trace
