import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { GARBAGE } from './certificates.ts';
import { failureOf, startIam } from './support.ts';

const keyPair = (modulusLength = 2048): KeyObject => generateKeyPairSync('rsa', { modulusLength }).publicKey;

const field = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Encodes a key like `ssh-keygen`. */
function sshBlob(key: KeyObject): Buffer {
  const { n, e } = key.export({ format: 'jwk' });
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n!, 'base64url')]);
  return Buffer.concat([field(Buffer.from('ssh-rsa')), field(Buffer.from(e!, 'base64url')), field(modulus)]);
}

const sshLine = (key: KeyObject, comment = 'jane@laptop'): string =>
  `ssh-rsa ${sshBlob(key).toString('base64')} ${comment}`;
const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString();
const md5 = (key: KeyObject): string => createHash('md5').update(sshBlob(key)).digest('hex').match(/../g)!.join(':');

test('a key is uploaded, returned in both encodings, disabled and deleted', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  const key = keyPair();
  const { SSHPublicKey } = await t.iam.uploadSSHPublicKey({ UserName: 'jane', SSHPublicKeyBody: sshLine(key) });
  expect(SSHPublicKey).toEqual({
    UserName: 'jane',
    SSHPublicKeyId: expect.stringMatching(/^APKA[A-Z2-7]{17}$/),
    Fingerprint: md5(key),
    SSHPublicKeyBody: sshLine(key),
    Status: 'Active',
    UploadDate: expect.any(Date),
  });
  const id = { UserName: 'jane', SSHPublicKeyId: SSHPublicKey!.SSHPublicKeyId! };
  const get = async (Encoding: 'SSH' | 'PEM') => (await t.iam.getSSHPublicKey({ ...id, Encoding })).SSHPublicKey!;
  expect((await get('SSH')).SSHPublicKeyBody).toBe(sshLine(key));
  expect((await get('PEM')).SSHPublicKeyBody).toBe(pem(key).trim());
  await t.iam.updateSSHPublicKey({ ...id, Status: 'Inactive' });
  expect((await t.iam.listSSHPublicKeys({ UserName: 'jane' })).SSHPublicKeys).toEqual([
    { ...id, Status: 'Inactive', UploadDate: SSHPublicKey!.UploadDate },
  ]);
  expect(await failureOf(t.iam.deleteUser({ UserName: 'jane' }))).toBe(
    'DeleteConflict: Cannot delete entity, must remove referenced objects first.',
  );
  await t.iam.deleteSSHPublicKey(id);
  expect((await t.iam.listSSHPublicKeys({ UserName: 'jane' })).SSHPublicKeys).toEqual([]);
});

test('a PEM key is the same key', async () => {
  await using t = await startIam();
  const { iam } = await t.user('jane');
  const key = keyPair();
  const { SSHPublicKey } = await t.iam.uploadSSHPublicKey({ UserName: 'jane', SSHPublicKeyBody: pem(key) });
  expect(SSHPublicKey!.Fingerprint).toBe(md5(key));
  const { SSHPublicKey: asSsh } = await t.iam.getSSHPublicKey({
    UserName: 'jane',
    SSHPublicKeyId: SSHPublicKey!.SSHPublicKeyId!,
    Encoding: 'SSH',
  });
  expect(asSsh!.SSHPublicKeyBody).toBe(sshLine(key, '').trim());
  expect(await failureOf(t.iam.uploadSSHPublicKey({ UserName: 'jane', SSHPublicKeyBody: sshLine(key) }))).toContain(
    'DuplicateSSHPublicKey: ',
  );
  for (let number = 2; number <= 5; number++)
    await t.iam.uploadSSHPublicKey({ UserName: 'jane', SSHPublicKeyBody: sshLine(keyPair()) });
  expect(await failureOf(t.iam.uploadSSHPublicKey({ UserName: 'jane', SSHPublicKeyBody: sshLine(keyPair()) }))).toBe(
    'LimitExceeded: Cannot exceed quota for SSHPublicKeysPerUser: 5',
  );
  expect((await iam.listSSHPublicKeys({})).SSHPublicKeys).toHaveLength(5);
});

test('rejects keys other than RSA of at least 2048 bits', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  const upload = (SSHPublicKeyBody: string) =>
    failureOf(t.iam.uploadSSHPublicKey({ UserName: 'jane', SSHPublicKeyBody }));
  for (const body of GARBAGE)
    expect(await upload(body)).toContain(
      body.startsWith('---') ? 'InvalidPublicKey: ' : 'UnrecognizedPublicKeyEncoding: ',
    );
  const ed25519 = generateKeyPairSync('ed25519').publicKey;
  const cut = sshLine(keyPair()).slice(0, 200);
  const bodies = ['ssh-rsa', 'ssh-rsa AAAA', 'ssh-ed25519 AAAA', cut, sshLine(keyPair(1024)), pem(ed25519)];
  for (const body of [...bodies, `ssh-rsa ${'f'.repeat(16_000)}`])
    expect(await upload(body), body).toContain('InvalidPublicKey: ');
  const unknown = { UserName: 'jane', SSHPublicKeyId: 'APKAXXXXXXXXXXXXXXXXX' };
  const missing = 'NoSuchEntity: The Public Key with id APKAXXXXXXXXXXXXXXXXX cannot be found.';
  expect(await failureOf(t.iam.getSSHPublicKey({ ...unknown, Encoding: 'SSH' }))).toBe(missing);
  expect(await failureOf(t.iam.updateSSHPublicKey({ ...unknown, Status: 'Active' }))).toBe(missing);
  expect(await failureOf(t.iam.deleteSSHPublicKey(unknown))).toBe(missing);
});
