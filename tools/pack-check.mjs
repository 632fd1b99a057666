// `pnpm pack:check`: packs all published packages, installs the archives with npm into an empty directory, and uses them as
// an external project does: the CLI, the in-process emulator, a single service, and the types. Fails if an archive lacks a
// file that it requires.
//
//   pnpm pack:check                  with the current node
//   pnpm pack:check node22 node24    also with other programs
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolders, root } from './workspace.mjs';

/** Size limit in MB of a package with its dependencies; undefined for packages that are not installed alone. */
const limitOf = (name) =>
  name.startsWith('@emu/svc-') ? 10 : { '@emu/emulator': 25, '@emu/cli': 25, '@emu/control-client': 1 }[name];

const nodes = [process.execPath, ...process.argv.slice(2)];
const folder = mkdtempSync(join(tmpdir(), 'emu-pack-'));
const archives = join(folder, 'archives');
const project = join(folder, 'project');

const run = (command, args, cwd = project) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const published = packageFolders()
  .map((path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')))
  .filter((manifest) => !manifest.private);

function pack() {
  mkdirSync(archives);
  run('pnpm', ['build'], root);
  const filters = published.flatMap(({ name }) => ['--filter', name]);
  run('pnpm', ['-r', ...filters, 'pack', '--pack-destination', archives], root);
}

/** Returns the archive of a package. */
function archiveOf(name) {
  const prefix = `${name.replace('@', '').replace('/', '-')}-`;
  const found = readdirSync(archives).find((file) => file.startsWith(prefix) && /^\d/.test(file.slice(prefix.length)));
  if (!found) throw new Error(`${name} was not packed`);
  return join(archives, found);
}

/** Installs all archives, so that none is fetched from the registry, without running scripts of packages. */
function install() {
  mkdirSync(project);
  const dependencies = Object.fromEntries(published.map(({ name }) => [name, `file:${archiveOf(name)}`]));
  const devDependencies = {
    '@aws-sdk/client-s3': '^3.0.0',
    '@aws-sdk/client-sqs': '^3.0.0',
    '@types/node': '^20.0.0',
    typescript: '^5.9.0',
  };
  const manifest = { name: 'outside', private: true, type: 'module', dependencies, devDependencies };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Returns the metadata of an archive from npm. */
function checkArchives() {
  for (const { name } of published) {
    const folder = join(project, 'node_modules', name);
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    if (/"(?:workspace|catalog):|emu-source/.test(text)) throw new Error(`package.json of ${name} is of the workspace`);
    for (const file of ['README.md', 'LICENSE', 'NOTICE']) statSync(join(folder, file));
  }
}

function sizeOf(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Returns the directories of a package and its dependencies, resolved as node does. */
function closureOf(name, found = new Map(), from = join(project, 'node_modules')) {
  const path = [join(from, name), join(project, 'node_modules', name)].find((each) => {
    try {
      return statSync(each).isDirectory();
    } catch {
      return false;
    }
  });
  if (!path || found.has(path)) return found;
  const own = readdirSync(path).filter((entry) => entry !== 'node_modules');
  found.set(
    path,
    own.reduce((sum, entry) => sum + sizeOf(join(path, entry)), 0),
  );
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) closureOf(dependency, found, join(path, 'node_modules'));
  return found;
}

function checkSizes() {
  for (const { name } of published) {
    const limit = limitOf(name);
    if (limit === undefined) continue;
    const size = [...closureOf(name).values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6;
    console.log(`${name}: ${size.toFixed(1)} MB with what it brings`);
    if (size >= limit) throw new Error(`${name} may take up ${limit} MB`);
  }
}

const JOB = `import { S3 } from '@aws-sdk/client-s3';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createEmulator } from '@emu/emulator';
import { createEmulatorOf } from '@emu/emulator/plugins';
import { manifest } from '@emu/svc-sqs/manifest';

for (const emulator of [await createEmulator(), await createEmulatorOf([manifest])]) {
  const sqs = new SQSClient(emulator.clientConfig());
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  if (Messages?.[0]?.Body !== 'hello') throw new Error('the message did not arrive');
  await emulator.close();
}

const emulator = await createEmulator();
const s3 = new S3(emulator.clientConfig());
await s3.createBucket({ Bucket: 'tables' });
await s3.putObject({ Bucket: 'tables', Key: 'a.csv', Body: 'a,b' });
const problem = await s3
  .selectObjectContent({
    Bucket: 'tables',
    Key: 'a.csv',
    ExpressionType: 'SQL',
    Expression: 'SELECT * FROM s3object',
    InputSerialization: { CSV: {} },
    OutputSerialization: { CSV: {} },
  })
  .catch((error: Error) => error.message);
if (!String(problem).includes('npm install @duckdb/node-api')) throw new Error('S3 Select answered ' + String(problem));
await emulator.close();
`;

function useThem() {
  writeFileSync(join(project, 'job.ts'), JOB);
  for (const resolution of ['nodenext', 'bundler']) {
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
    const options = ['--strict', '--target', 'es2022', '--module', module, '--moduleResolution', resolution];
    run('npx', ['tsc', ...options, '--outDir', `out-${resolution}`, 'job.ts']);
  }
  for (const node of nodes) {
    run(node, ['out-nodenext/job.js']);
    const version = run(node, ['node_modules/@emu/cli/bin/emu.js', '--version']).trim();
    const listed = run(node, [
      'node_modules/@emu/cli/bin/emu.js',
      'exec',
      '--',
      node,
      '-p',
      'process.env.AWS_ENDPOINT_URL',
    ]);
    if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(listed.trim())) throw new Error(`emu exec gave ${listed}`);
    console.log(`emu ${version} works with ${run(node, ['--version']).trim()}`);
  }
}

try {
  pack();
  install();
  checkArchives();
  checkSizes();
  useThem();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
