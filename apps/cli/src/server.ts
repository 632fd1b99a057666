import { existsSync } from 'node:fs';
import { type Config, createLogger } from '@emu/core';
import type { Logger } from '@emu/core/service';
import { SERVICE_NAMES, SERVICES, startEmulator } from '@emu/emulator';
import { urlOf } from './address.ts';
import type { Flags } from './argv.ts';
import { configOf } from './config-file.ts';
import { Failure } from './failure.ts';
import type { HookRunner } from './hooks.ts';
import { keepRunning } from './lifetime.ts';
import type { RunningServer } from './running-server.ts';
import { VERSION } from './version.ts';

/**
 * Starts an emulator that listens on the configured address.
 * @param defaults default values by variable, used without flag and variable
 * @throws ConfigError for invalid settings
 * @throws Failure if the address cannot be used
 */
export async function startServer(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  defaults: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const config = await configOf(flags, { ...defaults, ...given }, SERVICE_NAMES);
  const { values } = config.settings;
  const log = createLogger({ level: values.EMULATOR_LOG, format: values.EMULATOR_LOG_FORMAT });
  for (const warning of config.warnings) log.warn(warning);
  keepRunning(log);
  const hooks = await hooksOf(config, log);
  await hooks?.boot();
  let url = '';
  const surroundings = {
    container: CONTAINER_MARKS.some((path) => existsSync(path)),
    ...(hooks && { init: hooks.report }),
    ...(values.EMULATOR_INIT_AFTER_RESET && hooks && { afterReset: () => hooks.prepareAgain(url) }),
  };
  const emulator = await startEmulator({ config, manifests: SERVICES, version: VERSION, log, surroundings });
  try {
    const { host } = values.EMULATOR_ADDR;
    const { port } = await emulator.listen({ ...values.EMULATOR_ADDR, remote: values.EMULATOR_ALLOW_REMOTE });
    if (values.EMULATOR_IMDS_LINK_LOCAL) await emulator.listenLinkLocal();
    url = urlOf({ host, port });
    return { emulator, config, log, url, hooks };
  } catch (error) {
    await emulator.close();
    throw await listenFailure(error, values.EMULATOR_ADDR);
  }
}

/** Files in the containers of Docker and Podman. */
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv'];

/** Loaded only if scripts exist. */
async function hooksOf(config: Config, log: Logger): Promise<HookRunner | undefined> {
  if (config.settings.values.EMULATOR_INIT_DIR.length === 0) return undefined;
  const { HookRunner } = await import('./hooks.ts');
  return HookRunner.of(config, log);
}

/**
 * Runs the scripts of `--init` that prepare an emulator, if any.
 * @throws Failure if a script fails with `--init-strict`; the emulator is closed then
 */
export async function prepare({ emulator, url, hooks }: RunningServer): Promise<void> {
  try {
    await hooks?.prepare(url);
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

async function listenFailure(error: unknown, address: Parameters<typeof urlOf>[0]): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new Failure(await (await import('./port-in-use.ts')).explain(address));
  const where = `${address.host}:${address.port}`;
  if (code === 'EACCES')
    return new Failure(
      `Ports below 1024 require more rights than this user has, so ${where} cannot be used; ${OTHER_ADDRESS}.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Failure(`${address.host} is not an address of this machine; ${OTHER_ADDRESS}.`);
  return code === undefined ? error : new Failure(`${where} cannot be used (${code}); ${OTHER_ADDRESS}.`);
}

const OTHER_ADDRESS = 'choose another with --addr (EMULATOR_ADDR)';
