import type { IdentityDirectory } from '../capabilities/identity-directory.ts';
import { isObject, type Json, listOf } from './json.ts';

const ENTITY = /^arn:[^:]+:iam::(\d{12}):(?:user|role)\/.+$/;
const OTHERS =
  /^(?:\*|\d{12}|(?:AIDA|AROA)[A-Z0-9]{12,}|arn:[^:]+:iam::\d{12}:root|arn:[^:]+:sts::\d{12}:(?:assumed-role|federated-user)\/.+)$/;

/**
 * The first of the AWS principals that a resource's policy names which cannot be: what is no principal, and users and
 * roles of the account that it does not have. Other accounts are taken at their word, and every account where the
 * emulator has no IAM.
 * @param text JSON whose statements are objects
 * @param accountId account of the resource
 */
export async function unknownPrincipal(
  text: string,
  accountId: string,
  directory: IdentityDirectory | undefined,
): Promise<string | undefined> {
  for (const statement of listOf((JSON.parse(text) as Json).Statement)) {
    if (!isObject(statement)) continue;
    for (const element of [statement.Principal, statement.NotPrincipal])
      for (const principal of isObject(element) ? listOf(element.AWS) : []) {
        const name = String(principal);
        const [, owner] = ENTITY.exec(name) ?? [];
        if (owner === undefined ? !OTHERS.test(name) : owner === accountId && !(await exists(name, directory)))
          return name;
      }
  }
  return undefined;
}

async function exists(arn: string, directory: IdentityDirectory | undefined): Promise<boolean> {
  return !directory || (await directory.identity(arn))?.arn === arn;
}
