import { createLogger, nearest } from '@emu/core';
import { awsVariables, misleadingVariables } from '@emu/emulator';
import yargs, { type Argv } from 'yargs';
import { urlOf } from './address.ts';
import type { Flags } from './argv.ts';
import { SHELLS, type Shell, shellLines } from './aws-env.ts';
import { configOf } from './config-file.ts';
import { control, health, healthWithin } from './control.ts';
import { exec } from './exec.ts';
import { Failure, reportFailures } from './failure.ts';
import { environmentHelp, type FlagTexts, flagsHelp } from './help.ts';
import { OPTION_ENTRIES } from './options.ts';
import { start } from './start.ts';
import { columns, localUrls, rowsOf } from './urls.ts';
import { VERSION } from './version.ts';

type Arguments = Record<string, unknown>;

/** Parses a command line and runs its command. */
export async function run(args: readonly string[]): Promise<void> {
  await reportFailures(async () => {
    await parser(args).parseAsync();
  });
}

function parser(args: readonly string[]): Argv {
  return yargs(args)
    .scriptName('emu')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
      'short-option-groups': false,
    })
    .usage('emu, a local emulator of AWS\n\nUsage: $0 [command] [flags]')
    .command(['start', '$0'], 'run the emulator in the foreground (also the default of `emu`)', startOptions, (argv) =>
      start(flagsOf(argv, START_FLAGS)),
    )
    .command('init', 'write a settings file, emu.toml, to this directory', (argv) => argv, writeConfig)
    .command('env', 'print the variables that make AWS clients use it: eval "$(emu env)"', envOptions, printVariables)
    .command('status', 'show whether it runs, and its services', statusOptions, printStatus)
    .command('wait', 'wait until it responds', waitOptions, waitForEmulator)
    .command(
      'urls',
      'print the local URLs of APIs, functions, websites, queues and user pool domains',
      statusOptions,
      printUrls,
    )
    .command(
      'reset [service] [account]',
      'remove all state, that of a service, or of an account in it',
      resetOptions,
      reset,
    )
    .command(
      'state [action] [file] [other]',
      'emu state save <file>, load <file>, diff <file> [file]: the state as a file, including secrets',
      stateOptions,
      keepState,
    )
    .command(
      'requests',
      'show the newest requests, each with the calls that it caused in other services',
      requestsOptions,
      showRequests,
    )
    .command(
      'lambda <action> <function> <directory>',
      'emu lambda watch <function> <directory>: run the current code of a directory at each invocation from now on',
      lambdaOptions,
      watchFunction,
    )
    .command(
      'layer [action] [arn] [file]',
      "emu layer add <arn> [file], list, remove <arn>: layers of other accounts, such as AWS's public ones",
      layerOptions,
      manageLayers,
    )
    .command(
      'runtime <action> [names..]',
      'emu runtime install [nodejs] [python] [--sdk-v2], list, remove: the SDKs that functions in processes find',
      runtimeOptions,
      manageRuntime,
    )
    .command(
      'doctor',
      'check a data directory that no emulator uses; exits with 1 if something is damaged',
      doctorOptions,
      doctor,
    )
    .command('exec', 'run a command with its own emulator: emu exec [flags] -- <command>', startOptions, execute)
    .command(
      'record',
      'pass requests on to AWS and record them: emu record [flags] [-- <command>]',
      recordOptions,
      recordRequests,
    )
    .command(
      'replay <files..>',
      'replay recordings against emu, and show how its responses differ from the recorded ones',
      replayOptions,
      replayRequests,
    )
    .version(VERSION)
    .help()
    .alias('help', 'h')
    .wrap(Math.min(process.stdout.columns || 120, 140))
    .exitProcess(false)
    .fail((message, error) => {
      // Errors of yargs concern the command line; errors thrown by a command pass through.
      throw error && error.name !== 'YError' ? error : new Failure(`${message}; see emu --help.`);
    });
}

const START_FLAGS = OPTION_ENTRIES.flatMap(([, { flag }]) => flag ?? []);
const ADDRESS_FLAGS = ['addr'];
/** Descriptions of flags that differ for a command that uses a running emulator. */
const CLIENT_TEXTS: FlagTexts = { addr: 'Address and port of the emulator to use.' };
const COMMANDS = [
  'start',
  'init',
  'env',
  'status',
  'wait',
  'urls',
  'reset',
  'state',
  'requests',
  'lambda',
  'layer',
  'runtime',
  'doctor',
  'exec',
  'record',
  'replay',
];
const jsonOption = { type: 'boolean', describe: 'Print JSON.' } as const;

/**
 * Declares the options of the table that have flags, or those in `names`. Help is our own, because yargs does not name
 * values.
 * @param texts own descriptions of the command
 */
function tableOptions(argv: Argv, names: readonly string[] = START_FLAGS, texts: FlagTexts = {}): Argv {
  for (const [, option] of OPTION_ENTRIES)
    if (option.flag !== undefined && names.includes(option.flag))
      // A boolean flag has its value already: see `normalise`.
      argv.option(option.flag, { ...(!option.boolean && { requiresArg: true }), hidden: true });
  return argv.epilogue(flagsHelp(names, texts));
}

const startOptions = (argv: Argv): Argv => tableOptions(argv).epilogue(environmentHelp());
const addressOption = (argv: Argv): Argv =>
  tableOptions(argv, ADDRESS_FLAGS, CLIENT_TEXTS).epilogue(
    'Without --addr and EMULATOR_ADDR, emu is expected at AWS_ENDPOINT_URL.',
  );
const statusOptions = (argv: Argv): Argv => addressOption(argv).option('json', jsonOption);
const waitOptions = (argv: Argv): Argv =>
  addressOption(argv).option('timeout', {
    requiresArg: true,
    describe: 'Maximum seconds to wait.',
    default: '30',
  });
const envOptions = (argv: Argv): Argv =>
  tableOptions(argv, ['addr', 'region'], CLIENT_TEXTS)
    .option('shell', {
      requiresArg: true,
      describe: `Shell syntax: ${SHELLS.join(', ')}; by default that of $SHELL.`,
    })
    .option('account', { requiresArg: true, describe: 'Account to use: 12 digits.' });
const resetOptions = (argv: Argv): Argv =>
  addressOption(argv)
    .positional('service', { describe: 'e.g. sqs', type: 'string' })
    .positional('account', { describe: '12 digits', type: 'string' });

const requestsOptions = (argv: Argv): Argv =>
  addressOption(argv)
    .option('follow', { alias: 'f', type: 'boolean', describe: 'Print each request as it completes.' })
    .option('service', { requiresArg: true, describe: 'Only requests of this service, e.g. sqs.' })
    .option('operation', { requiresArg: true, describe: 'Only requests of this operation, e.g. SendMessage.' })
    .option('errors', { type: 'boolean', describe: 'Only requests with an error response.' })
    .option('limit', { requiresArg: true, describe: 'Maximum number of requests.', default: '20' })
    .option('json', jsonOption);

const STATE_ACTIONS = ['save', 'load', 'diff'];
const stateOptions = (argv: Argv): Argv =>
  addressOption(argv)
    .positional('action', { describe: STATE_ACTIONS.join(', '), type: 'string' })
    .positional('file', { describe: 'a file from emu state save', type: 'string' })
    .positional('other', { describe: 'state to compare with: the running emulator by default', type: 'string' })
    .option('services', { requiresArg: true, describe: 'Save or load only these services: names separated by commas.' })
    .option('accounts', { requiresArg: true, describe: 'Save or load only these accounts: ids separated by commas.' })
    .option('merge', { type: 'boolean', describe: 'Merge with the existing state instead of replacing it.' })
    .option('json', jsonOption);

const lambdaOptions = (argv: Argv): Argv =>
  tableOptions(argv, ['addr', 'region'], CLIENT_TEXTS)
    .positional('action', { choices: ['watch'], type: 'string' })
    .positional('function', { describe: 'name or ARN of the function', type: 'string' })
    .positional('directory', { describe: 'directory below the --hot-reload-root of the emulator', type: 'string' });

const LAYER_ACTIONS = ['add', 'list', 'remove'];
const LAYER_FLAGS = ['addr', 'layer-directory'];
const layerOptions = (argv: Argv): Argv =>
  tableOptions(argv, LAYER_FLAGS, {
    ...CLIENT_TEXTS,
    'layer-directory': 'Directory with layers for every emulator that is started with it, e.g. in CI.',
  })
    .positional('action', { describe: LAYER_ACTIONS.join(', '), type: 'string' })
    .positional('arn', { describe: 'ARN of the layer version', type: 'string' })
    .positional('file', {
      describe: 'its .zip file; without one, the layer is built from packages of npm or PyPI',
      type: 'string',
    })
    .option('npm', {
      requiresArg: true,
      string: true,
      describe: 'Build it from this package, e.g. sharp@0.33; repeatable. Known layers, such as Powertools, need none.',
    })
    .option('pip', {
      requiresArg: true,
      string: true,
      describe: 'Build it from this package, e.g. "requests>=2"; repeatable.',
    })
    .option('linux', { type: 'boolean', describe: 'Packages of PyPI for Linux, for functions in containers.' })
    .option('json', jsonOption);

const RUNTIME_ACTIONS = ['install', 'list', 'remove'];
const RUNTIME_NAMES = ['nodejs', 'python'];
const runtimeOptions = (argv: Argv): Argv =>
  tableOptions(argv, ['runtime-dir'])
    .positional('action', { choices: RUNTIME_ACTIONS, type: 'string' })
    .positional('names', { describe: 'nodejs, python; both by default', type: 'string' })
    .option('sdk-v2', {
      type: 'boolean',
      describe: 'Also the AWS SDK for JavaScript v2, for runtimes up to nodejs16.x; alone without names.',
    })
    .option('json', jsonOption)
    .epilogue(
      "The packages come from the npm registry and the Python registry, by this machine's npm and pip and their settings. Nothing else of emu installs anything.",
    );

const doctorOptions = (argv: Argv): Argv =>
  tableOptions(argv, ['data-path']).option('repair', {
    type: 'boolean',
    describe: 'Move damaged parts to damaged/<time>/ in the data directory, so that emu starts with the rest.',
  });

const RECORD_FLAGS = ['region', 'allow-origin', 'allow-host'];
const replayOptions = (argv: Argv): Argv =>
  argv
    .positional('files', { describe: 'Recordings.', type: 'string' })
    .option('service', { requiresArg: true, describe: 'Only requests of these services, e.g. sqs,sns.' })
    .option('report', { requiresArg: true, describe: 'Format: text, json, junit or markdown.', default: 'text' })
    .option('endpoint', { requiresArg: true, describe: 'URL of a running emulator; by default a new one starts.' })
    .option('concurrent', { type: 'boolean', describe: 'Let requests overlap as they did in the recording.' })
    .option('classes', {
      requiresArg: true,
      describe: 'Differences with which it exits with 1, e.g. "other code,not implemented"; all by default.',
    })
    .option('ignore', { requiresArg: true, describe: 'File of ignored differences; emu-replay.json by default.' })
    .option('accept', { requiresArg: true, describe: 'Add all differences to that file, with this reason.' })
    .option('trust', { type: 'boolean', describe: 'Run the code in the recording, and connect to addresses in it.' });

const recordOptions = (argv: Argv): Argv =>
  tableOptions(argv, RECORD_FLAGS, { region: 'Region of requests that name none; by default that of your profile.' })
    .option('upstream', {
      requiresArg: true,
      describe: 'URL of another server that receives the requests; AWS by default.',
    })
    .option('output', { requiresArg: true, describe: 'File of the recording; by default named after the time.' })
    .option('keep-values', {
      type: 'boolean',
      describe: 'Write secrets, account ids and e-mail addresses instead of placeholders; credentials never.',
    })
    .option('read-only', {
      type: 'boolean',
      describe: 'Refuse operations whose name does not begin with Get, List, Describe, Head or BatchGet.',
    });

/** Members of the result that belong to yargs. */
const OWN = new Set(['_', '$0', '--', 'help', 'h', 'version']);

/**
 * Returns the flags of the table among the arguments.
 * @param known all flags of the command
 * @throws Failure for an unknown flag or argument
 */
function flagsOf(argv: Arguments, known: readonly string[], extra: readonly string[] = []): Flags {
  refuseArguments(argv._ as string[]);
  const flags: Flags = {};
  for (const [name, value] of Object.entries(argv)) {
    if (OWN.has(name) || extra.includes(name)) continue;
    if (!known.includes(name)) {
      const match = nearest(name, [...known, ...extra]);
      throw new Failure(`${dashed(name)} is not a flag of this command${match ? `; did you mean --${match}?` : '.'}`);
    }
    flags[name] = value as Flags[string];
  }
  return flags;
}

/** @throws Failure for unknown commands or arguments */
function refuseArguments([command, ...others]: string[]): void {
  if (command !== undefined && !COMMANDS.includes(command)) {
    const match = nearest(command, COMMANDS);
    throw new Failure(`${command} is not a command of emu${match ? `; did you mean ${match}?` : '; see emu --help.'}`);
  }
  if (others.length) throw new Failure(`emu ${command} accepts no argument ${others[0]}; see emu --help.`);
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** Returns the address and region of an emulator with these settings. */
const target = async (flags: Flags): Promise<{ url: string; region: string }> => {
  const { settings } = await configOf(flags, process.env);
  return { url: urlOf(settings.values.EMULATOR_ADDR), region: settings.region };
};

/**
 * Returns the base URL of the emulator: the given address, otherwise the one that AWS clients use.
 * @throws Failure for an invalid `AWS_ENDPOINT_URL`
 */
async function runningAt(flags: Flags): Promise<string> {
  const { AWS_ENDPOINT_URL: endpoint, EMULATOR_ADDR: address } = process.env;
  if (flags.addr !== undefined || address || !endpoint) return (await target(flags)).url;
  if (!URL.canParse(endpoint)) throw new Failure(`AWS_ENDPOINT_URL must be a URL, not "${endpoint}".`);
  return endpoint.replace(/\/+$/, '');
}

const isShell = (name: unknown): name is Shell => (SHELLS as readonly unknown[]).includes(name);

async function printVariables(argv: Arguments): Promise<void> {
  const { url, region } = await target(flagsOf(argv, ['addr', 'region'], ['shell', 'account']));
  const account = argv.account as string | undefined;
  if (account !== undefined && !/^\d{12}$/.test(account))
    throw new Failure(`--account must be 12 digits, not "${account}".`);
  const shell = argv.shell ?? (/(^|\/)fish$/.test(process.env.SHELL ?? '') ? 'fish' : 'sh');
  if (!isShell(shell)) throw new Failure(`--shell must be ${SHELLS.join(', ')}, not "${shell}".`);
  const variables = awsVariables(url, region, { accessKeyId: account ?? 'test', secretAccessKey: 'test' });
  process.stdout.write(`${shellLines(shell, variables, misleadingVariables(process.env)).join('\n')}\n`);
}

async function writeConfig(argv: Arguments): Promise<void> {
  flagsOf(argv, []);
  (await import('./init-config.ts')).initConfig();
}

async function printStatus(argv: Arguments): Promise<void> {
  const url = await runningAt(flagsOf(argv, ADDRESS_FLAGS, ['json']));
  const { status, version, services, forwarded } = await health(url);
  const leaving = forwarded ? `\nrequests that leave this machine, to AWS: ${forwarded.join(', ')}` : '';
  const text = argv.json
    ? JSON.stringify({ status, url, version, services, forwarded })
    : `emu ${version} runs on ${url}\nservices: ${services.join(', ')}${leaving}`;
  process.stdout.write(`${text}\n`);
}

async function waitForEmulator(argv: Arguments): Promise<void> {
  const url = await runningAt(flagsOf(argv, ADDRESS_FLAGS, ['timeout']));
  const seconds = Number(argv.timeout);
  if (!(seconds >= 0) || argv.timeout === '')
    throw new Failure(`--timeout must be a number of seconds, not "${argv.timeout}".`);
  const { version } = await healthWithin(url, seconds * 1000);
  process.stdout.write(`emu ${version} runs on ${url}\n`);
}

async function printUrls(argv: Arguments): Promise<void> {
  const url = await runningAt(flagsOf(argv, ADDRESS_FLAGS, ['json']));
  await health(url);
  const urls = await localUrls(url);
  const rows = rowsOf(urls);
  const text = argv.json ? JSON.stringify(urls) : rows.length > 0 ? columns(rows) : 'No resource has a URL.';
  process.stdout.write(`${text}\n`);
}

async function reset(argv: Arguments): Promise<void> {
  const url = await runningAt(flagsOf(argv, ADDRESS_FLAGS, ['service', 'account']));
  const parts = [argv.service, argv.account]
    .filter((part) => part !== undefined)
    .map((part) => encodeURIComponent(String(part)));
  // The server at this URL may be another one that AWS clients use.
  await health(url);
  await control(url, 'POST', parts.length ? `/_emulator/reset/${parts.join('/')}` : '/_reset');
  const what = parts.length
    ? `${argv.service}${argv.account === undefined ? '' : ` of account ${argv.account}`}`
    : 'every service';
  process.stdout.write(`${what} is empty now\n`);
}

async function showRequests(argv: Arguments): Promise<void> {
  const own = ['follow', 'f', 'service', 'operation', 'errors', 'limit', 'json'];
  const url = await runningAt(flagsOf(argv, ADDRESS_FLAGS, own));
  const { requests } = await import('./requests.ts');
  await requests(url, {
    follow: argv.follow === true,
    json: argv.json === true,
    query: {
      service: argv.service as string | undefined,
      operation: argv.operation as string | undefined,
      errors: argv.errors === true ? 'true' : undefined,
      limit: String(argv.limit),
    },
  });
}

async function keepState(argv: Arguments): Promise<void> {
  const own = ['action', 'file', 'other', 'services', 'accounts', 'merge', 'json'];
  const flags = flagsOf(argv, ADDRESS_FLAGS, own);
  const action = argv.action as string | undefined;
  if (action === undefined || !STATE_ACTIONS.includes(action)) {
    const problem = action === undefined ? 'emu state needs an action' : `emu state has no action ${action}`;
    throw new Failure(`${problem}: ${STATE_ACTIONS.join(', ')}.`);
  }
  if (argv.file === undefined) throw new Failure(`emu state ${action} needs a file: emu state ${action} <file>.`);
  const { saveState, loadState, diffState } = await import('./state.ts');
  const [file, other] = [String(argv.file), argv.other as string | undefined];
  const running = async (): Promise<string> => {
    const url = await runningAt(flags);
    // The server at this URL may be another one that AWS clients use.
    await health(url);
    return url;
  };
  if (action === 'diff') {
    if (!(await diffState(file, other ?? running, argv.json === true))) process.exitCode = 1;
    return;
  }
  if (other !== undefined) throw new Failure(`emu state ${action} takes one file.`);
  const options = {
    services: argv.services as string | undefined,
    accounts: argv.accounts as string | undefined,
    merge: argv.merge === true,
  };
  await (action === 'save' ? saveState : loadState)(await running(), file, options);
}

async function watchFunction(argv: Arguments): Promise<void> {
  const flags = flagsOf(argv, ['addr', 'region'], ['action', 'function', 'directory']);
  const [url, { region }] = [await runningAt(flags), await target(flags)];
  const { watch } = await import('./watch.ts');
  await watch(url, region, String(argv.function), String(argv.directory));
}

async function manageLayers(argv: Arguments): Promise<void> {
  const flags = flagsOf(argv, LAYER_FLAGS, ['action', 'arn', 'file', 'npm', 'pip', 'linux', 'json']);
  const action = argv.action as string | undefined;
  if (action === undefined || !LAYER_ACTIONS.includes(action)) {
    const problem = action === undefined ? 'emu layer needs an action' : `emu layer has no action ${action}`;
    throw new Failure(`${problem}: ${LAYER_ACTIONS.join(', ')}.`);
  }
  const [arn, file] = [argv.arn as string | undefined, argv.file as string | undefined];
  const { settings } = await configOf(flags, process.env);
  // The type of the values lacks those of services.
  const { EMULATOR_LAMBDA_LAYER_DIRECTORY: directory } = settings.values as {
    EMULATOR_LAMBDA_LAYER_DIRECTORY?: string;
  };
  const target = { url: await runningAt(flags), directory };
  const { addLayer, listLayers, removeLayer } = await import('./layers.ts');
  if (action === 'list') return listLayers(target, argv.json === true);
  if (arn === undefined) throw new Failure(`emu layer ${action} needs an ARN: emu layer ${action} <arn>.`);
  if (action === 'remove') return removeLayer(arn, target);
  const listOf = (value: unknown): string[] => [value ?? []].flat().map(String);
  await addLayer(arn, { file, npm: listOf(argv.npm), pip: listOf(argv.pip), linux: argv.linux === true }, target);
}

async function manageRuntime(argv: Arguments): Promise<void> {
  const { settings } = await configOf(
    flagsOf(argv, ['runtime-dir'], ['action', 'names', 'sdk-v2', 'json']),
    process.env,
  );
  const { allPythons, runtimeDirectory } = await import('@emu/svc-lambda/sdk');
  const directory = runtimeDirectory(settings);
  const { installRuntime, listRuntime, removeRuntime } = await import('./runtime.ts');
  const names = (argv.names as string[] | undefined) ?? [];
  const unknown = names.find((name) => !RUNTIME_NAMES.includes(name));
  if (unknown !== undefined)
    throw new Failure(`emu runtime knows no ${unknown}: it installs ${RUNTIME_NAMES.join(' and ')}.`);
  if (argv.action === 'list') {
    await listRuntime(directory, argv.json === true);
    return;
  }
  const sdkV2 = argv['sdk-v2'] === true;
  const isAll = names.length === 0 && !sdkV2;
  const isRemoval = argv.action === 'remove';
  const wanted = {
    nodejs: isAll || names.includes('nodejs'),
    python: (isAll && (isRemoval || (await allPythons()).length > 0)) || names.includes('python'),
    // Few functions need it, so that it is installed on request only.
    sdkV2: sdkV2 || (isAll && isRemoval),
  };
  await (isRemoval ? removeRuntime : installRuntime)(directory, wanted);
}

async function doctor(argv: Arguments): Promise<void> {
  const { settings } = await configOf(flagsOf(argv, ['data-path'], ['repair']), process.env);
  const { EMULATOR_DATA_PATH: directory, EMULATOR_LOG: level, EMULATOR_LOG_FORMAT: format } = settings.values;
  if (directory === undefined)
    throw new Failure('Name the data directory: emu doctor --data-path <dir> (EMULATOR_DATA_PATH).');
  const { diagnose } = await import('./doctor.ts');
  process.exitCode = await diagnose(directory, argv.repair === true, createLogger({ level, format }));
}

async function execute(argv: Arguments): Promise<void> {
  process.exit(await exec(flagsOf(argv, START_FLAGS), (argv['--'] as string[] | undefined) ?? []));
}

async function replayRequests(argv: Arguments): Promise<void> {
  const { replayFiles } = await import('./replay.ts');
  process.exitCode = await replayFiles({
    files: argv.files as string[],
    services: argv.service as string | undefined,
    report: argv.report as string,
    endpoint: argv.endpoint as string | undefined,
    concurrent: argv.concurrent === true,
    classes: argv.classes as string | undefined,
    ignore: argv.ignore as string | undefined,
    accept: argv.accept as string | undefined,
    trust: argv.trust === true,
  });
}

async function recordRequests(argv: Arguments): Promise<void> {
  const flags = flagsOf(argv, RECORD_FLAGS, ['upstream', 'output', 'keep-values', 'read-only']);
  const { record } = await import('./record.ts');
  const options = {
    flags,
    upstream: argv.upstream as string | undefined,
    output: argv.output as string | undefined,
    keepValues: argv['keep-values'] === true,
    readOnly: argv['read-only'] === true,
  };
  process.exit(await record(options, (argv['--'] as string[] | undefined) ?? []));
}
