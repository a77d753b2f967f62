# SPDX-License-Identifier: MIT
"""Where the two tracers are measured, and how their numbers are kept and shown.

A Place is a shell with an empty runtime directory of Tacho's, or with LTTng's daemon in namespaces of
its own; all that was started in it ends with it.
"""
import argparse
import contextlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import tempfile

UNSHARE = ['unshare', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
UST_SETUP = '''
mount -t tmpfs none /dev/shm && mount -t tmpfs none /run || exit 1
lttng-sessiond --no-kernel --background >/dev/null 2>&1 || exit 1
'''
END = '---end---'


def processor():
    """The CPU's name."""
    with contextlib.suppress(OSError), open('/proc/cpuinfo', encoding='utf-8') as cpuinfo:
        for line in cpuinfo:
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    return platform.machine()


def machine():
    """Where the numbers are from."""
    return {'processor': processor(), 'cpus': os.cpu_count(), 'kernel': platform.release()}


def unshare_command():
    """The command that makes namespaces here, or None."""
    command = UNSHARE + ([] if os.geteuid() == 0 else ['--map-root-user'])
    works = subprocess.run(command + ['true'], stderr=subprocess.DEVNULL, check=False)
    return None if works.returncode else command


def why_no_ust(build):
    """Why LTTng-UST cannot be measured; None if it can."""
    if not os.path.exists(os.path.join(build, 'bench', 'bench-ust')):
        return 'liblttng-ust-dev is not installed'
    if not shutil.which('lttng-sessiond'):
        return 'lttng-tools is not installed'
    if not shutil.which('unshare') or not unshare_command():
        return 'this user may not make the namespaces that keep its daemon apart'
    return None


class Place:
    """A shell, and a directory on tmpfs that is its $DIR."""

    def __init__(self, build, command, setup, folder):
        self.folder = folder
        env = dict(os.environ, DIR=folder, HOME=folder, LTTNG_HOME=folder,
                   TACHO_RUNTIME_DIR=os.path.join(folder, 'runtime'), B=build, LC_ALL='C',
                   LTTNG_UST_REGISTER_TIMEOUT='-1',
                   PATH=os.path.join(build, 'cli') + ':' + os.environ['PATH'])
        self.shell = subprocess.Popen(command + ['bash'], env=env, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.run(setup)

    def run(self, script):
        """The lines that a script prints."""
        self.shell.stdin.write(f'{script}\necho "{END} $?"\n')
        self.shell.stdin.flush()
        lines = []
        for line in self.shell.stdout:
            if line.startswith(END):
                if line.split()[1] != '0':
                    raise RuntimeError(f'failed: {script}\n' + ''.join(lines))
                return lines
            lines.append(line.rstrip('\n'))
        raise RuntimeError(f'the shell ended: {script}\n' + ''.join(lines))

    def numbers(self, script):
        """The numbers that it prints."""
        return [float(word) for line in self.run(script) for word in line.split()]

    def end(self):
        """What runs in it ends."""
        self.shell.stdin.close()
        self.shell.wait()


@contextlib.contextmanager
def places(build):
    """{tracer: Place}, and why LTTng-UST is missing, or None."""
    why = why_no_ust(build)
    with contextlib.ExitStack() as stack:
        found = {}
        for name in ['tacho'] if why else ['tacho', 'ust']:
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(prefix='tacho-bench.', dir='/dev/shm'))
            if name == 'tacho':
                os.mkdir(os.path.join(folder, 'runtime'), 0o700)
                found[name] = Place(build, [], 'true', folder)
            else: # its /dev/shm is another one
                found[name] = Place(build, unshare_command(), UST_SETUP + 'mkdir -p "$DIR"',
                                    folder)
            stack.callback(found[name].end)
        yield found, why


class Rows:
    """Results: (text, unit, {tracer: [a number of each round]}, what is aimed at)."""

    def __init__(self, part):
        self.part = part
        self.rows = []

    def add(self, name, unit, values, bar=''):
        self.rows.append({'part': self.part, 'name': name, 'unit': unit, 'bar': bar,
                          'values': {tracer: v for tracer, v in values.items() if v}})

    def show(self, title):
        print(f'\n{title:46}{"Tacho":^26}{"LTTng-UST":^26}')
        print(' ' * 46 + f'{"min":>8} {"median":>8} {"max":>8} ' * 2)
        for row in self.rows:
            print(f'{row["name"] + ", " + row["unit"]:46}' +
                  ''.join(spread(row['values'].get(t)) for t in ('tacho', 'ust')) + row['bar'])

    def save(self, path):
        """Behind those of other parts, if the file is there."""
        document = {'machine': machine(), 'rows': []}
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                document = json.load(file)
        rows = [row for row in document.get('rows', []) if row['part'] != self.part]
        document['rows'] = rows + self.rows
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(document, file, indent=1)


def spread(values):
    """Three columns."""
    if not values:
        return f'{"-":>8} {"-":>8} {"-":>8} '
    return ''.join(f'{number:8.{0 if number >= 10000 else 2}f} '
                   for number in (min(values), statistics.median(values), max(values)))


def arguments(text, rounds):
    """BUILD, --json FILE, and how many rounds."""
    parser = argparse.ArgumentParser(description=text.split('\n', maxsplit=1)[0])
    parser.add_argument('build', type=os.path.abspath)
    parser.add_argument('--json', metavar='FILE', help='add the results to this file')
    parser.add_argument('--rounds', type=int,
                        default=int(os.environ.get('TACHO_BENCH_ROUNDS', str(rounds))))
    return parser.parse_args()
