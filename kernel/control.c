// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * control.c - /dev/tacho: the calls of format/module.h.
 *
 * A call copies its structure once, and works on the copy below tracepoints_lock(). The file keeps
 * nothing: what a tool has made stays when the tool is killed, and any later one can find and remove
 * it. An open file keeps the module loaded, a recorder does not.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "fetch.h"
#include "recorder.h"
#include "tracepoints.h"

u64 fetch_lowest_address __ro_after_init = ~0ull;

union call {
	struct tacho_module_version version;
	struct tacho_module_attach attach;
	struct tacho_module_event event;
	struct tacho_module_forget forget;
	struct tacho_recorder_name detach;
	struct tacho_module_look look;
	struct tacho_module_bell bell;
	struct tacho_module_next next;
	struct tacho_module_whom whom;
};

static int do_call(unsigned int command, union call *call)
{
	switch (command) {
	case TACHO_MODULE_GET_VERSION:
		call->version = (struct tacho_module_version){ .version = TACHO_MODULE_VERSION };
		return 0;
	case TACHO_MODULE_ATTACH:
		return recorder_attach(&call->attach);
	case TACHO_MODULE_EVENT:
		return recorder_add_event(&call->event);
	case TACHO_MODULE_FORGET:
		return recorder_forget_event(&call->forget);
	case TACHO_MODULE_DETACH:
		return recorder_detach(&call->detach);
	case TACHO_MODULE_BELL:
		return recorder_hang_bell(&call->bell);
	case TACHO_MODULE_LOOK:
		return recorder_look(&call->look);
	case TACHO_MODULE_NEXT:
		return recorder_next_event(&call->next);
	case TACHO_MODULE_WHOM:
		return recorder_choose_threads(&call->whom);
	}
	return -ENOTTY;
}

static int copy_and_do(unsigned int command, union call *call, void __user *said)
{
	int ret;

	if (_IOC_DIR(command) & _IOC_WRITE && copy_from_user(call, said, _IOC_SIZE(command)))
		return -EFAULT;
	tracepoints_lock();
	ret = do_call(command, call);
	tracepoints_unlock();
	if (!ret && _IOC_DIR(command) & _IOC_READ && copy_to_user(said, call, _IOC_SIZE(command)))
		return -EFAULT;
	return ret;
}

static int may_call(void)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static long control_ioctl(struct file *file, unsigned int command, unsigned long said)
{
	union call *call;
	int ret = may_call();

	if (ret)
		return ret;
	if (_IOC_SIZE(command) > sizeof(*call))
		return -ENOTTY;
	call = kzalloc(sizeof(*call), GFP_KERNEL);
	if (!call)
		return -ENOMEM;
	ret = copy_and_do(command, call, (void __user *)said);
	kfree(call);
	return ret;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = control_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tacho",
	.fops = &operations,
	.mode = 0600,
};

static int __init control_init(void)
{
	int ret;

	fetch_lowest_address = ~0ull << __VIRTUAL_MASK_SHIFT;
	ret = tracepoints_init(recorder_module_leaves);
	if (ret)
		return ret;
	ret = misc_register(&device);
	if (ret)
		tracepoints_fini();
	return ret;
}

/* No file is open any more, or the module could not go. */
static void __exit control_exit(void)
{
	misc_deregister(&device);
	tracepoints_lock();
	recorder_detach_all();
	tracepoints_unlock();
	tracepoints_fini();
}

module_init(control_init);
module_exit(control_exit);
MODULE_DESCRIPTION("Tacho: the kernel's events into rings that tools read");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION("2");
