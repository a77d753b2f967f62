/* SPDX-License-Identifier: MIT */
/*
 * life.c - what programs do in their lives, in the most awkward ways, while they record.
 *
 *	life WHAT [COUNT]
 *
 * Prints "events N", how many fault:life events it has recorded if somebody wanted them, and what is
 * of interest besides; none of it depends on whether it is traced. What there is: life.sh.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tacho/event.h>

extern char **environ;

/* Of this process and those it made, which count into it. */
static unsigned long *events;
static const char *argument; /* behind the count */

static void record(const char *where)
{
	int saved = errno;

	errno = 4711;
	tacho_event(fault, life, "where", where);
	if (errno != 4711)
		abort();
	errno = saved;
	__atomic_fetch_add(events, 1, __ATOMIC_RELAXED);
}

static void record_some(const char *where, int count)
{
	for (int i = 0; i < count; i++)
		record(where);
}

static int fail(const char *what)
{
	perror(what);
	exit(3);
}

static int status_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) != pid) {
		if (errno != EINTR)
			fail("waitpid");
	}
	return status;
}

/* ---- constructors, destructors ---- */

static __attribute__((constructor)) void begin(void)
{
	events = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (events == MAP_FAILED)
		_exit(3);
	record("constructor");
}

static int is_to_say;

static __attribute__((destructor)) void end(void)
{
	record("destructor");
	if (is_to_say) {
		printf("events %lu\n", *events);
		fflush(stdout);
	}
}

/* ---- processes ---- */

static void fork_storm(int count)
{
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (!pid) {
			record_some("child", 5);
			if (i % 3 == 0 && !fork()) {
				record("grandchild");
				_exit(0);
			}
			while (wait(NULL) > 0)
				;
			_exit(i % 7);
		}
		record("parent");
		if (WEXITSTATUS(status_of(pid)) != i % 7)
			abort();
	}
}

static volatile sig_atomic_t handled, handled_max;

static void fork_on_signal(int signal)
{
	int saved = errno;
	pid_t pid;

	(void)signal;
	/* On a slow machine the next signal is there before the program gets anywhere. */
	if (handled >= handled_max)
		return;
	pid = fork();
	if (!pid) {
		record("child of a handler");
		_exit(0);
	}
	status_of(pid);
	record("handler");
	handled++;
	errno = saved;
}

static void fork_in_handler(int count)
{
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };

	handled_max = count;
	signal(SIGALRM, fork_on_signal);
	setitimer(ITIMER_REAL, &every, NULL);
	while (handled < count)
		record("main");
	setitimer(ITIMER_REAL, &never, NULL);
	printf("handled enough\n");
}

static void vforks(int count)
{
	for (volatile int i = 0; i < count; i++) {
		pid_t pid = vfork();

		if (!pid) {
			record("child of vfork");
			_exit(5);
		}
		record("parent");
		printf("%d", WEXITSTATUS(status_of(pid)));
	}
	puts("");
}

static void vforks_in_vain(int count)
{
	char *argv[] = { "none", NULL };

	for (volatile int i = 0; i < count; i++) {
		pid_t pid = vfork();

		if (!pid) {
			record("before exec");
			execve("/nonexistent/none", argv, environ);
			record("exec failed");
			_exit(127);
		}
		record("parent");
		printf("%d", WEXITSTATUS(status_of(pid)));
	}
	puts("");
}

/* A child on the memory and the TLS of its parent, which waits for it: vfork() by hand. */
static int share_memory(void *arg)
{
	(void)arg;
	record("on the memory of the parent");
	return 4;
}

static void clone_memory(int count)
{
	size_t bytes = 256 << 10;
	char *stack = malloc(bytes);

	for (int i = 0; i < count; i++) {
		pid_t pid = clone(share_memory, stack + bytes, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

		record("parent");
		if (WEXITSTATUS(status_of(pid)) != 4)
			abort();
	}
	free(stack);
}

/* Each child attaches to the session with its first event, and a signal comes somewhere below it. */
static void fork_in_first(int count)
{
	handled_max = 1;
	signal(SIGALRM, fork_on_signal);
	for (int i = 0; i < count; i++) {
		struct itimerval once = { .it_value = { 0, 1 + i * 7 % 600 } };
		pid_t pid = fork();

		if (!pid) {
			setitimer(ITIMER_REAL, &once, NULL);
			record("first");
			while (!handled)
				record("main");
			_exit(9);
		}
		if (WEXITSTATUS(status_of(pid)) != 9)
			abort();
	}
}

/* As a container's runtime does it: no handler of pthread_atfork() runs. */
static void raw_clones(int count)
{
	for (int i = 0; i < count; i++) {
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (!pid) {
			record_some("clone", 3);
			_exit(6);
		}
		record("parent");
		if (WEXITSTATUS(status_of(pid)) != 6)
			abort();
	}
}

static void spawn(int count)
{
	char *argv[] = { "true", NULL };

	for (int i = 0; i < count; i++) {
		pid_t pid;

		record("before");
		if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ))
			fail("posix_spawn");
		printf("%d", status_of(pid));
	}
	puts("");
}

static void close_all(int count)
{
	record_some("before", count);
	fflush(stdout);
	if (fork())
		_exit(0); /* the destructor is the child's */
	setsid();
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	chdir("/");
	record_some("daemon", count);
	is_to_say = 1;
}

static void exec_in_place(int count)
{
	char left[24], counted[24];

	record("before exec");
	if (!count)
		return;
	snprintf(left, sizeof(left), "%d", count - 1);
	snprintf(counted, sizeof(counted), "%lu", *events);
	execl("/proc/self/exe", "life", "exec", left, counted, (char *)NULL);
	fail("exec");
}

/* ---- what others take away ---- */

static void chrooted(int count)
{
	record_some("outside", count);
	mkdir("empty", 0700);
	if (chroot("empty") || chdir("/"))
		fail("chroot");
	record_some("inside", count);
}

static void unshared(int flags, int count)
{
	pid_t pid;

	record_some("before", count);
	if (unshare(flags))
		fail("unshare");
	record_some("after", count);
	pid = fork();
	if (!pid) {
		record_some("child", count);
		_exit(0);
	}
	status_of(pid);
}

static void only_read_write_exit(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		fail("seccomp");
}

/* A buffer that is there already, since exit() would ask the kernel for one. */
static void locked_in(int count)
{
	static char text[64];
	static char byte;

	record_some("before", count);
	only_read_write_exit();
	write(1, "locked in\n", 10);
	while (read(0, &byte, 1) > 0)
		;
	record_some("after", count);
	write(1, text, (size_t)snprintf(text, sizeof(text), "events %lu\n", *events + 0));
	syscall(SYS_exit_group, 0);
}

static void locked_in_strictly(int count)
{
	static char text[64];

	record_some("before", count);
	fflush(stdout);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		fail("seccomp");
	record_some("after", count);
	write(1, text, (size_t)snprintf(text, sizeof(text), "events %lu\n", *events + 0));
	syscall(SYS_exit, 0);
}

static void become_nobody(int count)
{
	record_some("before", count);
	if (setgid(65534) || setuid(65534))
		fail("setuid");
	record_some("after", count);
	printf("uid %u\n", (unsigned)getuid());
}

/* ---- threads and signals ---- */

static pthread_key_t key;

static void in_tls_destructor(void *value)
{
	long left = (long)value;

	record("TLS destructor");
	if (left > 1)
		pthread_setspecific(key, (void *)(left - 1));
}

static void *short_thread(void *arg)
{
	(void)arg;
	pthread_setspecific(key, (void *)3);
	record("thread");
	return NULL;
}

static void threads(int count)
{
	pthread_key_create(&key, in_tls_destructor);
	for (int i = 0; i < count; i++) {
		pthread_t thread[4];

		for (int k = 0; k < 4; k++) {
			if (pthread_create(&thread[k], NULL, short_thread, NULL))
				fail("pthread_create");
		}
		for (int k = 0; k < 4; k++)
			pthread_join(thread[k], NULL);
	}
}

static void on_alternate_stack(int signal)
{
	(void)signal;
	record("alternate stack");
	handled++;
}

static void alternate_stack(int count)
{
	stack_t stack = { .ss_sp = malloc(8192), .ss_size = 8192 };
	struct sigaction action = { .sa_handler = on_alternate_stack, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < count; i++) {
		raise(i % 2 ? SIGUSR1 : SIGSEGV);
		record("main");
	}
	printf("handled %d\n", (int)handled);
}

static void dump_core(int count)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	record_some("before", count);
	printf("events %lu\n", *events);
	fflush(stdout);
	abort();
}

static void move_about(int count)
{
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < count; i++) {
		int cpu = i % CPU_COUNT(&all);

		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		record("moved");
	}
}

/* ---- libraries ---- */

static void load_and_unload(int count)
{
	for (int i = 0; i < count; i++) {
		void *library = dlopen(argument, RTLD_NOW | RTLD_LOCAL);
		int (*work)(int) = library ? (int (*)(int))dlsym(library, "library_work") : NULL;

		if (!work) {
			fprintf(stderr, "%s\n", dlerror());
			exit(3);
		}
		*events += (unsigned long)work(2);
		dlclose(library);
	}
}

static void many_libraries(int count)
{
	char path[4096];

	for (int i = 0; i < count; i++) {
		void *library;

		snprintf(path, sizeof(path), "%s.%d", argument, i);
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!library) {
			fprintf(stderr, "%s\n", dlerror());
			exit(3);
		}
		*events += (unsigned long)((int (*)(int))dlsym(library, "library_work"))(3);
	}
}

/* ---- main ---- */

static void leave_users(int count)
{
	unshared(CLONE_NEWUSER, count);
}

static void leave_mounts(int count)
{
	unshared(CLONE_NEWNS, count);
}

static void leave_pids(int count)
{
	unshared(CLONE_NEWPID, count);
}

static const struct {
	const char *what;
	void (*live)(int count);
} lives[] = {
	{ "fork-storm", fork_storm },
	{ "fork-in-handler", fork_in_handler },
	{ "vfork", vforks },
	{ "vfork-in-vain", vforks_in_vain },
	{ "clone", raw_clones },
	{ "clone-memory", clone_memory },
	{ "fork-in-first", fork_in_first },
	{ "spawn", spawn },
	{ "close-all", close_all },
	{ "exec", exec_in_place },
	{ "chroot", chrooted },
	{ "user-namespace", leave_users },
	{ "mount-namespace", leave_mounts },
	{ "pid-namespace", leave_pids },
	{ "seccomp", locked_in },
	{ "strict", locked_in_strictly },
	{ "setuid", become_nobody },
	{ "threads", threads },
	{ "alternate-stack", alternate_stack },
	{ "abort", dump_core },
	{ "affinity", move_about },
	{ "dlopen", load_and_unload },
	{ "libraries", many_libraries },
};

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 10;

	if (argc < 2)
		return 2;
	argument = argc > 3 ? argv[3] : "";
	if (!strcmp(argv[1], "exec"))
		*events += strtoul(argument, NULL, 10);
	is_to_say = strcmp(argv[1], "close-all") != 0;
	for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++) {
		if (!strcmp(argv[1], lives[i].what)) {
			lives[i].live(count);
			return 0;
		}
	}
	return 2;
}
