import { createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';

let emu: Emu;
beforeAll(async () => {
  emu = await startEmu();
});
afterAll(() => emu?.kill());

describe.skipIf(noCli !== undefined)(`KMS through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  const cli = awsCli(() => emu.url);
  const kms = (...args: string[]) => cli.answer('kms', ...args);

  test('a key encrypts and decrypts, by its alias and without its name', { timeout: 180_000 }, async () => {
    using directory = temporaryDirectory();
    const plain = join(directory.path, 'plain');
    const sealed = join(directory.path, 'sealed');
    writeFileSync(plain, 'hello ü');
    const { KeyMetadata } = await kms('create-key', '--description', 'of the CLI');
    const { KeyId } = KeyMetadata as { KeyId: string };
    await kms('create-alias', '--alias-name', 'alias/cli', '--target-key-id', KeyId);
    const context = ['--encryption-context', 'app=cli'];
    const encrypted = await kms('encrypt', '--key-id', 'alias/cli', '--plaintext', `fileb://${plain}`, ...context);
    writeFileSync(sealed, Buffer.from(String(encrypted.CiphertextBlob), 'base64'));
    const opened = await kms('decrypt', '--ciphertext-blob', `fileb://${sealed}`, ...context);
    expect(Buffer.from(String(opened.Plaintext), 'base64').toString()).toBe('hello ü');
    expect(opened.KeyId).toBe(`arn:aws:kms:us-east-1:123456789012:key/${KeyId}`);
    const refused = await cli.run('kms', 'decrypt', '--ciphertext-blob', `fileb://${sealed}`);
    expect(refused.stderr).toContain('(InvalidCiphertextException) when calling the Decrypt operation');
    await kms('schedule-key-deletion', '--key-id', KeyId, '--pending-window-in-days', '7');
    const pending = await cli.run('kms', 'encrypt', '--key-id', KeyId, '--plaintext', `fileb://${plain}`);
    expect(pending.stderr).toContain('(KMSInvalidStateException)');
    expect(pending.stderr).toContain('is pending deletion.');
  });

  test('the public key verifies signatures elsewhere', { timeout: 120_000 }, async () => {
    using directory = temporaryDirectory();
    const message = join(directory.path, 'message');
    writeFileSync(message, 'to be signed');
    const { KeyMetadata } = await kms('create-key', '--key-spec', 'ECC_NIST_P256', '--key-usage', 'SIGN_VERIFY');
    const id = ['--key-id', (KeyMetadata as { KeyId: string }).KeyId];
    const signing = ['--message', `fileb://${message}`, '--signing-algorithm', 'ECDSA_SHA_256'];
    const { Signature } = await kms('sign', ...id, ...signing);
    const { PublicKey } = await kms('get-public-key', ...id);
    const key = createPublicKey({ key: Buffer.from(String(PublicKey), 'base64'), format: 'der', type: 'spki' });
    const signature = Buffer.from(String(Signature), 'base64');
    expect(verify('sha256', Buffer.from('to be signed'), key, signature)).toBe(true);
  });
});
