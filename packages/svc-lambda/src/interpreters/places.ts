import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A directory with one directory per version, as version managers have. */
export interface VersionDirectory {
  /** Directory of the version manager. Directories of it on PATH contain shims. */
  readonly root: string;
  readonly directory: string;
  /** Directory of the programs inside of a version's directory. */
  readonly programs: string;
}

/** Directories of Java by distributions and systems. */
const JAVA_DIRECTORIES = ['/usr/lib/jvm', '/usr/java', '/opt/java'];

/** Returns the home directory of a version manager: an absolute path in its variable, otherwise the default. */
const rootOf = (variable: string | undefined, fallback: string): string =>
  variable?.startsWith('/') ? variable : fallback;

/** Returns the user's home directory. */
export const homeOf = (env: NodeJS.ProcessEnv): string => rootOf(env.HOME, homedir());

/** Returns the user's data directory. @see https://specifications.freedesktop.org/basedir-spec/latest/ */
export const dataHome = (env: NodeJS.ProcessEnv): string =>
  rootOf(env.XDG_DATA_HOME, join(homeOf(env), '.local/share'));

/** Returns the directories on PATH. */
export const programDirectories = (env: NodeJS.ProcessEnv): string[] =>
  (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');

const versionsIn = (root: string, path: string, programs = 'bin'): VersionDirectory => ({
  root,
  directory: join(root, path),
  programs,
});

const asdf = (env: NodeJS.ProcessEnv, plugin: string): VersionDirectory =>
  versionsIn(rootOf(env.ASDF_DATA_DIR, join(homeOf(env), '.asdf')), join('installs', plugin));

const mise = (env: NodeJS.ProcessEnv, tool: string): VersionDirectory =>
  versionsIn(rootOf(env.MISE_DATA_DIR, join(dataHome(env), 'mise')), join('installs', tool));

/** Returns the directories in which nvm, fnm, Volta, asdf, mise and n install Node.js. */
export function nodeVersionDirectories(env: NodeJS.ProcessEnv): VersionDirectory[] {
  const home = homeOf(env);
  const fnm = (root: string) => versionsIn(root, 'node-versions', 'installation/bin');
  return [
    versionsIn(rootOf(env.NVM_DIR, join(home, '.nvm')), 'versions/node'),
    fnm(rootOf(env.FNM_DIR, join(dataHome(env), 'fnm'))),
    fnm(join(home, '.fnm')),
    fnm(join(home, 'Library/Application Support/fnm')),
    versionsIn(rootOf(env.VOLTA_HOME, join(home, '.volta')), 'tools/image/node'),
    asdf(env, 'nodejs'),
    mise(env, 'node'),
    versionsIn(join(rootOf(env.N_PREFIX, '/usr/local'), 'n'), 'versions/node'),
  ];
}

/** Returns the directories in which pyenv, asdf, mise and uv install Python. */
export function pythonVersionDirectories(env: NodeJS.ProcessEnv): VersionDirectory[] {
  return [
    versionsIn(rootOf(env.PYENV_ROOT, join(homeOf(env), '.pyenv')), 'versions'),
    asdf(env, 'python'),
    mise(env, 'python'),
    versionsIn(rootOf(env.UV_PYTHON_INSTALL_DIR, join(dataHome(env), 'uv/python')), '.'),
  ];
}

/** Returns the directories in which rbenv, asdf and mise install Ruby. */
export function rubyVersionDirectories(env: NodeJS.ProcessEnv): VersionDirectory[] {
  return [
    versionsIn(rootOf(env.RBENV_ROOT, join(homeOf(env), '.rbenv')), 'versions'),
    asdf(env, 'ruby'),
    mise(env, 'ruby'),
  ];
}

/** Returns the directories in which distributions, SDKMAN, asdf and mise install Java. */
export function javaVersionDirectories(env: NodeJS.ProcessEnv): VersionDirectory[] {
  const sdkman = rootOf(env.SDKMAN_DIR, join(homeOf(env), '.sdkman'));
  return [
    ...JAVA_DIRECTORIES.map((directory) => versionsIn(directory, '.')),
    versionsIn('/Library/Java/JavaVirtualMachines', '.', 'Contents/Home/bin'),
    versionsIn(sdkman, 'candidates/java'),
    asdf(env, 'java'),
    mise(env, 'java'),
  ];
}

/** Returns the directories in which .NET is installed, preferred first. */
export const dotnetDirectories = (env: NodeJS.ProcessEnv): string[] => [
  ...(env.DOTNET_ROOT?.startsWith('/') ? [env.DOTNET_ROOT] : []),
  join(homeOf(env), '.dotnet'),
  '/usr/share/dotnet',
  '/usr/lib/dotnet',
  '/usr/local/share/dotnet',
];
