/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - does what its arguments say, one after the other, and records what contexts should
 * say: the truth as it finds it is in the events' fields.
 *
 *	event            the truth, in three events
 *	place            where the event is in the program
 *	step             print "step", wait for a line
 *	flood            "contexts:flood" with a number that counts, until there is a line
 *	thread           a thread does it, before and after it has got a name
 *	fork             a child does it
 *	vfork            a child between vfork() and exec() that has another uid
 *	setuid=N ..      any of the interposed functions
 *	raw=N            setresuid() by system call
 *	unshare=NAME     a namespace
 *	map              root is the user in the new user namespace
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tacho/event.h>

extern char __executable_start;

static uint64_t inode(const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/thread-self/ns/%s", name);
	return stat(path, &st) ? 0 : st.st_ino;
}

static void place(void)
{
	uint64_t start = (uint64_t)&__executable_start;

	tacho_event(contexts, place, "line", __LINE__, "start", start);
}

static void event(void)
{
	uid_t r, e, s;
	gid_t rg, eg, sg;
	char name[17] = "";

	pthread_getname_np(pthread_self(), name, sizeof(name));
	tacho_event(contexts, thread, "vpid", getpid(), "vtid", gettid(), "procname", name,
		    "pthread_id", (uint64_t)pthread_self(), "cpu_id", sched_getcpu());
	getresuid(&r, &e, &s);
	getresgid(&rg, &eg, &sg);
	tacho_event(contexts, ids, "vuid", r, "veuid", e, "vsuid", s, "vgid", rg, "vegid", eg,
		    "vsgid", sg);
	tacho_event(contexts, namespaces, "cgroup_ns", inode("cgroup"), "ipc_ns", inode("ipc"),
		    "mnt_ns", inode("mnt"), "net_ns", inode("net"), "pid_ns", inode("pid"),
		    "time_ns", inode("time"), "user_ns", inode("user"), "uts_ns", inode("uts"));
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void wait_for_line(void)
{
	char line[16];

	puts("step");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

static void flood(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char line[16];

	puts("step");
	fflush(stdout);
	for (uint32_t i = 0; i % 64 || poll(&in, 1, 1) == 0; i++)
		tacho_event(contexts, flood, "number", i);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

static void *thread(void *arg)
{
	event();
	pthread_setname_np(pthread_self(), "worker");
	event();
	return arg;
}

static void run_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
}

static void run_fork(void)
{
	pid_t pid = fork();

	if (!pid) {
		event();
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void run_vfork(void)
{
	pid_t pid = vfork();

	if (!pid) {
		if (setuid(4242))
			_exit(1);
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

/* Of an id that only the parent namespace knows. */
static void map(const char *id)
{
	char text[64];

	snprintf(text, sizeof(text), "0 %s 1", id);
	write_file("/proc/self/uid_map", text);
}

static void unshare_one(const char *name)
{
	static const struct {
		const char *name;
		int flag;
	} flags[] = {
		{ "user", CLONE_NEWUSER },     { "uts", CLONE_NEWUTS }, { "ipc", CLONE_NEWIPC },
		{ "mnt", CLONE_NEWNS },        { "net", CLONE_NEWNET }, { "pid", CLONE_NEWPID },
		{ "cgroup", CLONE_NEWCGROUP },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!strcmp(flags[i].name, name) && unshare(flags[i].flag))
			die(name);
	}
}

static int change_ids(const char *name, uid_t id)
{
	if (!strcmp(name, "setuid"))
		return setuid(id);
	if (!strcmp(name, "seteuid"))
		return seteuid(id);
	if (!strcmp(name, "setreuid"))
		return setreuid((uid_t)-1, id);
	if (!strcmp(name, "setresuid"))
		return setresuid(id, id, 0);
	if (!strcmp(name, "setgid"))
		return setgid(id);
	if (!strcmp(name, "setegid"))
		return setegid(id);
	if (!strcmp(name, "setregid"))
		return setregid((gid_t)-1, id);
	if (!strcmp(name, "setresgid"))
		return setresgid(id, id, 0);
	if (strcmp(name, "raw"))
		return -1;
	if (syscall(SYS_setresuid, id, id, 0))
		return -1;
	tacho_process_changed();
	return 0;
}

static void do_one(char *word)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = 0;
	if (!strcmp(word, "event"))
		event();
	else if (!strcmp(word, "place"))
		place();
	else if (!strcmp(word, "step"))
		wait_for_line();
	else if (!strcmp(word, "flood"))
		flood();
	else if (!strcmp(word, "thread"))
		run_thread();
	else if (!strcmp(word, "fork"))
		run_fork();
	else if (!strcmp(word, "vfork"))
		run_vfork();
	else if (!strcmp(word, "map"))
		map(value);
	else if (!strcmp(word, "unshare"))
		unshare_one(value);
	else if (change_ids(word, (uid_t)atoi(value ? value : "")))
		die(word);
}

/* On one CPU: it cannot change between what is found and what is recorded. */
static void stay_on_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	stay_on_cpu();
	for (int i = 1; i < argc; i++)
		do_one(argv[i]);
	return 0;
}
