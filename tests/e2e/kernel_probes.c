/* SPDX-License-Identifier: MIT */
/* kernel_probes.c - a function that is called five times, and in it a static probe as <sys/sdt.h> makes
 * it: a note, and a semaphore that the kernel counts up while it is recorded. Exit status 0: it was. */
#include <stddef.h>

#if defined(__x86_64__)
static volatile unsigned short semaphore __attribute__((section(".probes"), used));

#define STATIC_PROBE(number, text)                                                                 \
	__asm__ volatile("990: nop\n"                                                              \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n"                             \
			 ".balign 4\n"                                                             \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                        \
			 "991: .asciz \"stapsdt\"\n"                                               \
			 "992: .balign 4\n"                                                        \
			 "993: .8byte 990b\n"                                                      \
			 ".8byte _.stapsdt.base\n"                                                 \
			 ".8byte semaphore\n"                                                      \
			 ".asciz \"shop\"\n"                                                       \
			 ".asciz \"sold\"\n"                                                       \
			 ".asciz \"-4@%0 8@%1 -4@$7\"\n"                                           \
			 "994: .balign 4\n"                                                        \
			 ".popsection\n"                                                           \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"   \
			 ".weak _.stapsdt.base\n"                                                  \
			 "_.stapsdt.base: .space 1\n"                                              \
			 ".popsection\n" ::"r"(number),                                            \
			 "r"(text))

long sell(int number, const char *text);

/* Called so that no compiler calls a copy of it, made for these arguments. */
static long (*volatile call_sell)(int, const char *) = sell;

long sell(int number, const char *text)
{
	__asm__ volatile("nop"); /* two counters of one place the kernel does not take */
	STATIC_PROBE(number, text);
	return number;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 5; i++)
		sum += call_sell(i, "bread");
	return sum != 10 || !semaphore;
}
#else
int main(void)
{
	return 77;
}
#endif
