import type { IdentityDirectory } from '../capabilities/identity-directory.ts';
import { ENTITY } from '../policy/principal-forms.ts';
import type { ParsedPolicy } from '../policy/rules.ts';

/**
 * Returns the first user or role in a resource's policy that its own account lacks. Principals of other accounts are
 * not checked, nor any without IAM in the emulator.
 * @param accountId account of the resource
 */
export async function unknownPrincipal(
  { statements }: ParsedPolicy,
  accountId: string,
  directory: IdentityDirectory | undefined,
): Promise<string | undefined> {
  for (const { principals } of statements)
    for (const { type, name } of principals)
      if (type === 'AWS' && ENTITY.exec(name)?.[1] === accountId && !(await exists(name, directory))) return name;
  return undefined;
}

async function exists(arn: string, directory: IdentityDirectory | undefined): Promise<boolean> {
  return !directory || (await directory.identity(arn))?.arn === arn;
}
