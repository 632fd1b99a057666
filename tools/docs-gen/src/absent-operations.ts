import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codes } from './markdown.ts';
import { implementedBy, type Service } from './services.ts';

/** Operations that answer 501 for one reason. */
interface AbsentOperations {
  reason: string;
  operations: string[];
}

function absentOf({ name, folder }: Service, root: string): readonly AbsentOperations[] {
  const path = join(root, folder, 'absent-operations.json');
  if (!existsSync(path)) return [];
  const byService = JSON.parse(readFileSync(path, 'utf8')) as Record<string, AbsentOperations[]>;
  return byService[name] ?? [];
}

/**
 * Lists the operations of a service that answer 501, with the reasons in `absent-operations.json` of its package.
 * @throws Error for a missing reason, or one of an implemented operation
 */
export function absentOperations(service: Service, root: string): string {
  const absent = absentOf(service, root);
  const listed = absent.flatMap(({ operations }) => operations);
  const all = Object.keys(service.plugin.model.operations);
  const implemented = implementedBy(service);
  const unexplained = all.filter((name) => !implemented.includes(name) && !listed.includes(name));
  const wrong = listed.filter((name) => implemented.includes(name) || !all.includes(name));
  for (const [names, problem] of [
    [unexplained, 'lacks'],
    [wrong, 'must not list'],
  ] as const)
    if (names.length) throw new Error(`${service.folder}/absent-operations.json ${problem} ${names.join(', ')}`);
  const reasons = absent.map(({ reason, operations }) => `- ${codes(operations)}: ${reason}.`);
  return [
    `${implemented.length} of ${all.length} operations are implemented. [Coverage](../coverage/${service.name}.md) lists them with their tests.`,
    ...(reasons.length ? ['These operations answer 501:', reasons.join('\n')] : []),
  ].join('\n\n');
}
