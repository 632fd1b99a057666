import { join } from 'node:path';
import type { Generated } from './grammars.ts';
import { type MotoFacts, motoHeader, readMoto } from './moto.ts';

/** A policy in moto: results of AWS's ListPolicies and GetPolicyVersion. */
export interface MotoPolicy {
  Path: string;
  DefaultVersionId: string;
  CreateDate: string;
  UpdateDate: string;
  Document: unknown;
}

/** AWS's managed policies by name. */
export type MotoPolicies = MotoFacts<Readonly<Record<string, MotoPolicy>>>;

const SCRIPT = `
import runpy
print(runpy.run_path(os.path.join(folder, 'iam', 'aws_managed_policies.py'))['aws_managed_policies_data'])
`;

/** Finds AWS's managed policies in moto. */
export const findManagedPolicies = (): MotoPolicies | undefined => readMoto(SCRIPT);

/** Usual order of members in policies and statements; moto sorts them by name. */
const ORDER = [
  ['Version', 'Id', 'Statement'],
  ['Sid', 'Effect', 'Principal', 'NotPrincipal', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition'],
].flat();

/** Returns a policy document as JSON text without white space. */
export function documentOf(document: unknown): string {
  const { Statement, ...rest } = document as { Statement: unknown };
  const inOrder = (value: unknown): unknown =>
    Object.fromEntries(
      Object.entries(value as object).sort(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other)),
    );
  const statements = Array.isArray(Statement) ? Statement.map(inOrder) : inOrder(Statement);
  return JSON.stringify(inOrder({ ...rest, Statement: statements }));
}

const isoOf = (date: string): string => new Date(date).toISOString().replace('.000Z', 'Z');

/**
 * Returns AWS's managed policies as a module of IAM's package: one line per policy, ordered by name, for readable diffs
 * between versions.
 * @param packageDir directory of the package
 */
export function managedPolicyFiles(packageDir: string, { version, facts }: MotoPolicies): Generated[] {
  const header = motoHeader(version);
  const lines = Object.entries(facts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { Path, DefaultVersionId, CreateDate, UpdateDate, Document }]) =>
      JSON.stringify([name, Path, DefaultVersionId, isoOf(CreateDate), isoOf(UpdateDate), documentOf(Document)]),
    );
  const target = join(packageDir, 'src/generated/managed-policies');
  return [
    { path: `${target}.js`, text: `${header}export const policies = [\n${lines.join(',\n')},\n];\n` },
    {
      path: `${target}.d.ts`,
      text: `${header}
/** Name, path, default version, date of creation, date of that version (ISO 8601), and its document as JSON text. */
export type ManagedPolicyRow = readonly [string, string, string, string, string, string];

/** The policies that AWS manages, in order of names. */
export const policies: readonly ManagedPolicyRow[];
`,
    },
  ];
}
