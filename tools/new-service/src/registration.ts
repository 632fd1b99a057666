import { identifierOf, type NewService } from './templates.ts';

/** A change of a file that lists services. */
export interface Registration {
  /** Path in the repository. */
  readonly path: string;
  change(text: string): string;
}

/** Adds a line to sorted matching lines. */
function addLine(text: string, line: string, run: RegExp): string {
  const lines = text.split('\n');
  const found = lines.map((one, index) => (run.test(one) ? index : -1)).filter((index) => index >= 0);
  if (!found.length) throw new Error(`there is no line like ${run}`);
  const after = found.filter((index) => lines[index]! < line).at(-1);
  lines.splice(after === undefined ? found[0]! : after + 1, 0, line);
  return lines.join('\n');
}

function addDependency(text: string, name: string, version: string, field: string): string {
  const manifest = JSON.parse(text) as Record<string, Record<string, string>>;
  const entries = { ...manifest[field], [name]: version };
  manifest[field] = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Adds the prefix of the resource types that Terraform's provider most likely has for a service. */
const addResources = (text: string, name: string): string =>
  addLine(text, `    "${name}": ["aws_${name}_"],`, /^ {4}"[\w-]+": \[/)
    // The last line has no comma.
    .replace(/\]\n( {4}"[\w-]+": \[[^\]]*\]),\n {2}\}/, '],\n$1\n  }');

/** Returns the changes of all lists for a new service. */
export function registrationsOf({ name, client }: NewService): Registration[] {
  return [
    {
      path: 'packages/emulator/src/services.ts',
      change: (text) =>
        addLine(
          addLine(
            text,
            `import { manifest as ${identifierOf(name)} } from '@emu/svc-${name}/manifest';`,
            /^import .*@emu\/svc-/,
          ),
          `  ${identifierOf(name)},`,
          /^ {2}\w+,$/,
        ),
    },
    {
      path: 'packages/emulator/package.json',
      change: (text) => addDependency(text, `@emu/svc-${name}`, 'workspace:*', 'dependencies'),
    },
    {
      path: 'tools/conformance/src/index.ts',
      change: (text) =>
        addLine(
          addLine(text, `import { ${identifierOf(name)} } from './scenarios/${name}.ts';`, /^import .*\.\/scenarios\//),
          name === identifierOf(name) ? `  ${name},` : `  '${name}': ${identifierOf(name)},`,
          /^ {2}(?:\w+|'[\w-]+': \w+),$/,
        ),
    },
    {
      path: 'e2e/terraform/resources.json',
      change: (text) => addResources(text, name),
    },
    // The conformance scenario and the example on the service's page use its client.
    ...['tools/conformance/package.json', 'e2e/package.json'].map((path) => ({
      path,
      change: (text: string) => addDependency(text, client, 'catalog:', 'devDependencies'),
    })),
  ];
}
