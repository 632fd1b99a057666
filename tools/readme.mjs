// READMEs of published packages: description, installation and first use.

const block = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;

const TEST = block(
  'ts',
  `import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createEmulator } from '@emu/emulator';

await using emu = await createEmulator();
const sqs = new SQSClient(emu.clientConfig());
await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));`,
);

const ALONE = (name) =>
  block(
    'ts',
    `import { createEmulatorOf } from '@emu/emulator/plugins';
import { manifest } from '${name}/manifest';

await using emu = await createEmulatorOf([manifest]);
// \`new Client(emu.clientConfig())\` of the AWS SDK for JavaScript v3 calls it.`,
  );

/** First use of packages, by name. */
const USES = {
  '@emu/cli': [
    block('sh', 'npx @emu/cli'),
    'listens on http://127.0.0.1:4566 and prints what clients need. `npx @emu/cli --help` lists commands and options.',
  ],
  '@emu/emulator': [block('sh', 'npm install --save-dev @emu/emulator'), TEST],
};

/** Packages with a README.md of their own. */
const OWN = new Set(['@emu/control-client']);

/** @param manifest the package.json of a published package @returns its README.md; undefined if the package has its own */
export function readmeOf({ name, description }) {
  if (OWN.has(name)) return undefined;
  const uses =
    USES[name] ??
    (name.startsWith('@emu/svc-')
      ? [
          '`@emu/emulator` and `@emu/cli` contain all services. A test of this service alone needs',
          block('sh', `npm install --save-dev @emu/emulator ${name}`),
          ALONE(name),
        ]
      : ['A part of emu. Install `@emu/cli` or `@emu/emulator`, which depend on it.']);
  const about =
    'emu is a local emulator of AWS: one process on one port for unmodified AWS clients, without Docker and without an account. It also runs inside the process of a JavaScript test.';
  return `${[`# ${name}`, `${description}.`, about, ...uses, 'Apache-2.0'].join('\n\n')}\n`;
}
