// pnpm new-service <name> [--botocore <folder>] [--client <package>] [--first <Operation>]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeService, firstOperation, type ServiceDescription } from './description.ts';
import { format } from './format.ts';
import { registrationsOf } from './registration.ts';
import { filesOf, type NewService } from './templates.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { botocore: { type: 'string' }, client: { type: 'string' }, first: { type: 'string' } },
});
const [name] = positionals;
if (positionals.length !== 1 || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name!)) {
  console.error('usage: pnpm new-service <name> [--botocore <folder>] [--client <package>] [--first <Operation>]');
  process.exit(2);
}
if (existsSync(join(root, `packages/svc-${name}`))) {
  console.error(`packages/svc-${name} already exists`);
  process.exit(1);
}

/** Returns the description, or ends the process with a message. */
function descriptionOf(folder: string): ServiceDescription {
  try {
    return describeService(folder);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

const description = descriptionOf(values.botocore ?? name!);
const first = values.first ?? firstOperation(description);
if (!description.operations.includes(first)) {
  console.error(`${description.fullName} has no operation ${first}`);
  process.exit(1);
}
const id = description.serviceId.toLowerCase().replaceAll(' ', '-');
const service: NewService = { ...description, name: name!, first, client: values.client ?? `@aws-sdk/client-${id}` };

for (const [path, text] of Object.entries(filesOf(service))) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
for (const { path, change } of registrationsOf(service)) {
  writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')));
  console.log(`changed ${path}`);
}
const written = [...Object.keys(filesOf(service)), ...registrationsOf(service).map(({ path }) => path)];
format(
  root,
  written.filter((path) => !path.endsWith('.md')),
);
console.log(`
Next:
- pin ${service.client} in the catalog of pnpm-workspace.yaml and run pnpm install
- pnpm generate writes the model and its types, pnpm coverage the generated parts of docs
- now all tests pass; every operation answers 501
- declare regular resources as descriptors, from which handlers and tests are made: docs/descriptors.md
- write handlers in src/operations/<concept>.ts and list them in src/index.ts; remove their operations from absent-operations.json
- replace test/${name}.test.ts by test/contract.test.ts with describeServiceContract, which the tests require from the first handler on
- fill in the conformance scenario, then pnpm conformance --update ${name}
- pnpm sentences --match <recordings> lists the error messages that recordings of AWS confirm
- fill in docs/services/${name}.md; pnpm coverage writes its generated parts`);
