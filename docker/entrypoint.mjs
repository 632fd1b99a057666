// Starts emu in its container: takes over the settings of LocalStack that have a counterpart, gives the user that emu runs
// as its directory and the container engine's socket, and runs emu as that user in this process.
import { chownSync, existsSync, mkdirSync, statSync } from 'node:fs';

const USER = 1000;
const SOCKET = '/var/run/docker.sock';
const args = process.argv.slice(2);
const { env } = process;

const say = (text) => process.stderr.write(`emu: ${text}\n`);

/** Sets a variable of emu by one of LocalStack's, unless it is set already. */
function translate(name, value, as) {
  if (env[as] !== undefined && DEFAULTS[as] !== env[as]) return;
  env[as] = value;
  say(`${name}=${env[name]} is taken as ${as}=${value}`);
}

/** What the image itself sets. */
const DEFAULTS = { EMULATOR_ADDR: '0.0.0.0:4566' };
const isTrue = (text) => /^(1|true|yes)$/i.test(text ?? '');

if (isTrue(env.PERSISTENCE)) {
  translate('PERSISTENCE', 'persistent', 'EMULATOR_STORAGE_MODE');
  // Compose files made for LocalStack mount its directory.
  translate('PERSISTENCE', '/var/lib/localstack/emu', 'EMULATOR_DATA_PATH');
}
if (env.EMULATOR_STORAGE_MODE === 'persistent') env.EMULATOR_DATA_PATH ??= '/var/lib/emu';
if (isTrue(env.DEBUG)) translate('DEBUG', 'debug', 'EMULATOR_LOG');
if (env.GATEWAY_LISTEN) {
  const [first, ...others] = env.GATEWAY_LISTEN.split(',');
  const [port, host = '0.0.0.0'] = first.split(':').reverse();
  translate('GATEWAY_LISTEN', `${host || '0.0.0.0'}:${port}`, 'EMULATOR_ADDR');
  if (others.length) say(`GATEWAY_LISTEN: emu listens on the first address only, so not on ${others.join(', ')}`);
}
if (env.LOCALSTACK_HOST) {
  const url = `http://${env.LOCALSTACK_HOST.includes(':') ? env.LOCALSTACK_HOST : `${env.LOCALSTACK_HOST}:4566`}`;
  translate('LOCALSTACK_HOST', url, 'EMULATOR_EXTERNAL_URL');
}
if (env.SERVICES) say('SERVICES has no effect: every service is there, and loaded when it is first used');
if (env.LAMBDA_DOCKER_NETWORK)
  translate('LAMBDA_DOCKER_NETWORK', env.LAMBDA_DOCKER_NETWORK, 'EMULATOR_CONTAINER_NETWORK');
// Without an engine's socket nothing has to be looked for.
if (!existsSync(SOCKET) && env.DOCKER_HOST === undefined && env.EMULATOR_CONTAINER_BACKEND === undefined)
  env.EMULATOR_LAMBDA_BACKEND ??= 'process';

if (process.getuid() === 0) {
  // `EMULATOR_RUN_AS_ROOT=true` is for volumes of file systems that know no other user.
  if (isTrue(env.EMULATOR_RUN_AS_ROOT)) say('emu runs as root, as EMULATOR_RUN_AS_ROOT says');
  else dropRights();
}

/** Goes on as a user without rights, who may use emu's directory and the engine's socket. */
function dropRights() {
  const directory = env.EMULATOR_DATA_PATH;
  if (directory !== undefined) {
    mkdirSync(directory, { recursive: true });
    chownSync(directory, USER, USER);
  }
  const groups = [USER];
  if (existsSync(SOCKET)) {
    const { gid, mode } = statSync(SOCKET);
    groups.push(gid);
    // Engines that only root may talk to: nothing that this user could be given helps.
    if ((mode & 0o022) === 0)
      say(`${SOCKET} is for its owner only: add -e EMULATOR_RUN_AS_ROOT=true to let emu use the engine`);
  }
  process.setgroups(groups);
  process.setgid(USER);
  process.setuid(USER);
  env.HOME = '/tmp';
}

process.argv = [process.argv[0], '/opt/emu/bin/emu.js', ...args];
await import('/opt/emu/bin/emu.js');
