import type { OptionValues } from '@emu/core';
import { awsVariables } from '@emu/emulator';
import { isLoopback } from './address.ts';
import type { RunningServer } from './running-server.ts';
import { VERSION } from './version.ts';

/**
 * Prints for people where emu runs, its services, who can reach it and how to use it; writes a log line for machines.
 */
export function announce({ emulator, config, log, url }: RunningServer): void {
  const { values, region } = config.settings;
  const { services } = emulator.kernel;
  const names = values.EMULATOR_FORWARD.join(', ');
  if (names && audienceOf(values) === 'network')
    log.warn(`every machine that can connect to emu uses your AWS credentials for ${names} (--forward)`);
  if (values.EMULATOR_LOG_FORMAT === 'json') {
    const [dataPath, openTo] = [values.EMULATOR_DATA_PATH, audienceOf(values)];
    const forwarded = values.EMULATOR_FORWARD.length > 0 ? values.EMULATOR_FORWARD : undefined;
    log.info('ready', { version: VERSION, url, services, dataPath, openTo, forwarded });
    return;
  }
  const openTo = {
    machine: 'this machine',
    containers: 'this machine and its containers; --allow-remote opens it to other machines',
    network: 'every machine that can connect to it',
  }[audienceOf(values)];
  const persistent = values.EMULATOR_STORAGE_MODE === 'persistent';
  const state = persistent ? `state in ${values.EMULATOR_DATA_PATH}` : 'state in memory only';
  process.stdout.write(
    `emu ${VERSION} is ready on ${url}
  services  ${services.join(', ')}; ${state}
  open to   ${openTo}
${forwardingOf(values)}  to use it ${values.EMULATOR_VERIFY_SIGV4 ? keysFirst(url) : exportsOf(url, region)}
Ready.
`,
  );
}

/** Returns a line about requests that leave this machine; empty without any. */
function forwardingOf({ EMULATOR_FORWARD: names, EMULATOR_FORWARD_READ_ONLY: readOnly }: OptionValues): string {
  if (names.length === 0) return '';
  return `  forwards  requests of ${names.join(', ')} leave this machine: they go to AWS with your credentials${readOnly ? ', those that only read' : ''}\n`;
}

/** Returns the shell command to use emu. */
function exportsOf(url: string, region: string): string {
  const variables = awsVariables(url, region, { accessKeyId: 'test', secretAccessKey: 'test' });
  return `export ${Object.entries(variables)
    .map((entry) => entry.join('='))
    .join(' ')}`;
}

/** Unregistered keys do not pass verification. */
const keysFirst = (url: string): string =>
  `create a key with curl -X POST -d '{"accountId":"123456789012","userName":"admin"}' ${url}/_emulator/iam/create-admin, because --verify-sigv4 rejects unregistered keys`;

/** Describes who can reach emu: programs of this machine, also those in its containers, or other machines. */
function audienceOf({ EMULATOR_ADDR: { host }, EMULATOR_ALLOW_REMOTE: remote }: OptionValues) {
  if (isLoopback(host)) return 'machine';
  return remote ? 'network' : 'containers';
}
