// SPDX-License-Identifier: MIT
//
// malloc_new.cpp - N rounds of new and delete, each of the four ways once.
#include <cstdlib>
#include <memory>
#include <new>

struct alignas(64) Line {
	char bytes[64];
};

// What the compiler cannot see through it cannot leave out.
template <typename T> static T *opaque(T *ptr)
{
	__asm__ volatile("" : "+r"(ptr) : : "memory");
	return ptr;
}

static char *constructed_early = opaque(new char[1234]);

int main(int argc, char **argv)
{
	for (int n = argc > 1 ? std::atoi(argv[1]) : 1; n > 0; n--) {
		delete opaque(new int(n));
		delete[] opaque(new char[1235]);
		delete opaque(new Line());
		delete opaque(new (std::nothrow) long(n));
	}
	delete[] constructed_early;
}
