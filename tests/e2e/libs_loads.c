/* SPDX-License-Identifier: MIT */
/*
 * libs_loads.c - ROUNDS times dlopen() and dlclose() of FILE; then a child, and FILE in a namespace
 * of its own. Prints what must be the same with and without a helper.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int call(void *handle)
{
	int (*value)(void) = handle ? (int (*)(void))dlsym(handle, "value") : NULL;

	return value ? value() : -1;
}

static void load_and_unload(const char *file)
{
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	printf("value %d\n", call(handle));
	printf("closed %d\n", handle ? dlclose(handle) : -1);
}

static void load_elsewhere(const char *file)
{
	void *handle = dlmopen(LM_ID_NEWLM, file, RTLD_NOW);

	printf("value elsewhere %d\n", call(handle));
	printf("closed %d\n", handle ? dlclose(handle) : -1);
}

/* What is missing is an error with the words of the dynamic linker. */
static void load_nothing(void)
{
	void *handle = dlopen("no-such-library.so", RTLD_NOW);
	const char *error = dlerror();

	printf("%p: %s\n", handle, error ? error : "no error");
}

int main(int argc, char **argv)
{
	int status = 0;
	pid_t pid;

	if (argc != 3)
		return 2;
	for (int i = atoi(argv[1]); i > 0; i--)
		load_and_unload(argv[2]);
	load_nothing();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		load_and_unload(argv[2]);
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	load_elsewhere(argv[2]);
	return status != 0;
}
