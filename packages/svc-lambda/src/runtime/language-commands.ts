import { dirname, join } from 'node:path';
import { findDotnet } from '../interpreters/dotnet.ts';
import { findJava } from '../interpreters/java.ts';
import { findNode } from '../interpreters/node.ts';
import { findPython, linkPythonSdk } from '../interpreters/python.ts';
import { findRuby, linkGems } from '../interpreters/ruby.ts';
import { type Interpreter, isOfVersion } from '../interpreters/versions.ts';
import type { Version } from '../records.ts';
import { dotnetArguments, dotnetClientAdvice } from './dotnet-command.ts';
import { JAVA_MAIN, javaClient, javaClientAdvice } from './java-client.ts';

/** Inputs of a command. */
export interface LanguageSources {
  readonly version: Version;
  readonly taskRoot: string;
  readonly layerRoot: string;
  /** Directory of the programs that run handlers. */
  readonly bootstraps: string;
  /** Directory that `emu runtime install` fills. */
  readonly runtimeDirectory: string;
}

/** Command that runs handlers of a language, or what to install for it. */
type Found = { readonly interpreter: Interpreter; readonly args: readonly string[] } | { readonly missing: string };

/** A language of AWS's runtimes. */
interface Language {
  readonly name: string;
  /** @param wanted version of the runtime, e.g. `20` or `3.12` */
  find(wanted: string, sources: LanguageSources): Promise<Found>;
}

/** Returns a part of the function's memory in MB, for a heap. */
const heapOf = ({ version }: LanguageSources, part: number): number =>
  Math.max(64, Math.floor(version.config.memorySize * part));

/** Languages by the beginnings of runtimes. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  nodejs: {
    name: 'Node.js',
    async find(wanted, sources) {
      // Limits V8's heap to the function's memory, as AWS's runtime does, so that V8 reports exhaustion itself.
      const args = [`--max-old-space-size=${heapOf(sources, 0.9)}`, join(sources.bootstraps, 'bootstrap.cjs')];
      return { interpreter: await findNode(wanted), args };
    },
  },
  python: {
    name: 'Python',
    async find(wanted, { bootstraps }) {
      const interpreter = await findPython(wanted);
      if (interpreter === undefined) return { missing: `no Python 3 was found; install python${wanted}` };
      await linkPythonSdk(dirname(bootstraps), interpreter);
      return { interpreter, args: ['-u', join(bootstraps, 'bootstrap.py')] };
    },
  },
  ruby: {
    name: 'Ruby',
    async find(wanted, { bootstraps }) {
      const interpreter = await findRuby(wanted);
      if (interpreter === undefined) return { missing: `no Ruby was found; install Ruby ${wanted}` };
      await linkGems(bootstraps, interpreter);
      return { interpreter, args: [join(bootstraps, 'bootstrap.rb')] };
    },
  },
  java: {
    name: 'Java',
    async find(wanted, sources) {
      const interpreter = await findJava(wanted);
      if (interpreter === undefined) return { missing: `no Java was found; install Java ${wanted}` };
      const client = await javaClient(sources.bootstraps, sources.runtimeDirectory);
      if (client === undefined) return { missing: javaClientAdvice(sources.runtimeDirectory) };
      const { handler = '' } = sources.version.config;
      const heap = [`-Xmx${heapOf(sources, 0.8)}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
      // The client finds the package by itself, but layers in /opt only.
      const classPath = [join(client, '*'), join(sources.layerRoot, 'java/lib/*')].join(':');
      return { interpreter, args: [...heap, '-cp', classPath, JAVA_MAIN, handler] };
    },
  },
  dotnet: {
    name: '.NET',
    async find(wanted, { version, taskRoot, bootstraps, runtimeDirectory }) {
      const interpreter = findDotnet(wanted);
      if (interpreter === undefined) return { missing: `no .NET was found; install the .NET ${wanted} runtime` };
      const args = await dotnetArguments(version.config.handler ?? '', taskRoot, join(bootstraps, 'dotnet'));
      if (args === undefined) return { missing: dotnetClientAdvice(runtimeDirectory) };
      const roll = isOfVersion(interpreter.version, wanted) ? [] : ['--roll-forward', 'LatestMajor'];
      return { interpreter, args: ['exec', ...roll, ...args] };
    },
  },
};

/** Command of a function, or why it cannot run. */
export type LanguageCommand =
  | {
      readonly command: readonly string[];
      /** Warning that the interpreter's version differs from the runtime's; undefined if they match. */
      readonly difference: string | undefined;
    }
  | { readonly missing: string };

/**
 * Returns the command that runs a function with an interpreter of this machine; undefined for an unknown language.
 * @throws MissingProgram if the package lacks a file
 */
export async function languageCommand(runtime: string, sources: LanguageSources): Promise<LanguageCommand | undefined> {
  const [, prefix = '', wanted = ''] = /^([a-z]+)(\d+(?:\.\d+)?)/.exec(runtime) ?? [];
  const language = LANGUAGES[prefix];
  if (language === undefined) return undefined;
  const found = await language.find(wanted, sources);
  if ('missing' in found) return found;
  const { executable, version } = found.interpreter;
  const difference = isOfVersion(version, wanted)
    ? undefined
    : `functions of ${runtime} run with ${language.name} ${version} here`;
  return { command: [executable, ...found.args], difference };
}
