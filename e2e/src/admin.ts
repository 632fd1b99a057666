import type { ClientCredentials } from './programs.ts';

/** Access key of a user that an emulator created, which passes signature verification. */
export interface Admin extends ClientCredentials {
  arn: string;
}

/** Creates an administrator of an account. */
export async function createAdmin(url: string, accountId: string, userName: string): Promise<Admin> {
  const response = await fetch(`${url}/_emulator/iam/create-admin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accountId, userName }),
  });
  if (!response.ok) throw new Error(`create-admin answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Admin;
}
