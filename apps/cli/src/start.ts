import { type Config, createLogger, type Logger, type OptionValues, resolveConfig } from '@emu/core';
import { DECLARED_OPTIONS, type Emulator, SERVICE_NAMES, SERVICES, startEmulator } from '@emu/emulator';
import { isLoopback, urlOf } from './address.ts';
import type { Flags } from './argv.ts';
import { Failure, reportFailures } from './failure.ts';
import { closeOnSignals, keepRunning } from './lifetime.ts';
import { VERSION } from './version.ts';

/** An emulator that listens. */
export interface RunningServer {
  emulator: Emulator;
  config: Config;
  log: Logger;
  /** Base URL for clients on this machine. */
  url: string;
}

/** `emu start`: runs in the foreground until a signal ends it. */
export async function start(flags: Flags): Promise<void> {
  await reportFailures(async () => {
    const server = await startServer(flags, process.env);
    closeOnSignals(server.emulator, server.log);
    await runHooks(server);
    announce(server);
  });
}

/**
 * Starts an emulator and listens as the settings say.
 * @param defaults settings that take effect where neither flag nor variable gives another, by variable
 * @throws ConfigError for settings that cannot be used
 * @throws Failure where the address cannot be listened on
 */
export async function startServer(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  defaults: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const config = resolveConfig({
    flags,
    env: { ...defaults, ...given },
    services: SERVICE_NAMES,
    options: DECLARED_OPTIONS,
  });
  const { values } = config.settings;
  const log = createLogger({ level: values.EMULATOR_LOG, format: values.EMULATOR_LOG_FORMAT });
  for (const warning of config.warnings) log.warn(warning);
  keepRunning(log);
  const emulator = await startEmulator({ config, manifests: SERVICES, version: VERSION, log });
  try {
    const { host } = values.EMULATOR_ADDR;
    const { port } = await emulator.listen({ ...values.EMULATOR_ADDR, remote: values.EMULATOR_ALLOW_REMOTE });
    if (values.EMULATOR_IMDS_LINK_LOCAL) await emulator.listenLinkLocal();
    return { emulator, config, log, url: urlOf({ host, port }) };
  } catch (error) {
    await emulator.close();
    throw await listenFailure(error, values.EMULATOR_ADDR);
  }
}

async function listenFailure(error: unknown, address: Parameters<typeof urlOf>[0]): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new Failure(await (await import('./port-in-use.ts')).explain(address));
  const where = `${address.host}:${address.port}`;
  if (code === 'EACCES')
    return new Failure(
      `Ports below 1024 need more rights than this user has, so ${where} cannot be listened on; choose another with --addr (EMULATOR_ADDR).`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Failure(
      `${address.host} is not an address of this machine; choose another with --addr (EMULATOR_ADDR).`,
    );
  return error;
}

/** Runs the scripts of `--init`; with `--init-strict` a failing one ends emu. */
async function runHooks({ emulator, config, log, url }: RunningServer): Promise<void> {
  const { values, region } = config.settings;
  if (values.EMULATOR_INIT_DIR === undefined) return;
  const { runInitHooks } = await import('./init-hooks.ts');
  const { clientEnvironment } = await import('./exec.ts');
  try {
    const env = await clientEnvironment({ url, region, verifies: values.EMULATOR_VERIFY_SIGV4 });
    await runInitHooks({ directory: values.EMULATOR_INIT_DIR, strict: values.EMULATOR_INIT_STRICT, env, log });
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

/** Tells people where emu is, what it has and how to use it; machines get a log line. */
function announce({ emulator, config, log, url }: RunningServer): void {
  const { values, region } = config.settings;
  const persistent = values.EMULATOR_STORAGE_MODE === 'persistent';
  if (values.EMULATOR_LOG_FORMAT === 'json') {
    log.info('ready', {
      version: VERSION,
      url,
      services: emulator.kernel.services,
      dataPath: values.EMULATOR_DATA_PATH,
      openTo: audienceOf(values),
    });
    return;
  }
  const openTo = {
    machine: 'this machine',
    containers: 'this machine and its containers; --allow-remote opens it to other machines',
    network: 'every machine that can connect to it',
  }[audienceOf(values)];
  const state = persistent ? `state in ${values.EMULATOR_DATA_PATH}` : 'state in memory only';
  process.stdout.write(
    `emu ${VERSION} is ready on ${url}
  services  ${emulator.kernel.services.join(', ')}; ${state}
  open to   ${openTo}
  to use it export AWS_ENDPOINT_URL=${url} AWS_REGION=${region} AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
`,
  );
}

/** Who can reach emu: programs of this machine, those of its containers too, or other machines. */
function audienceOf({ EMULATOR_ADDR: { host }, EMULATOR_ALLOW_REMOTE: remote }: OptionValues) {
  if (isLoopback(host)) return 'machine';
  return remote ? 'network' : 'containers';
}
