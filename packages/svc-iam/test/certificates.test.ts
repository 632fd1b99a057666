import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { GARBAGE, makeCertificate, otherKey } from './certificates.ts';
import { bodyOf, failureOf, startIam } from './support.ts';

const NOW = Date.parse('2027-01-01T00:00:00Z');

async function start() {
  const t = await startIam();
  await t.emulator.kernel.clock.set(NOW);
  return t;
}

test('a server certificate is uploaded, read, renamed, tagged and deleted', async () => {
  await using t = await start();
  const root = await makeCertificate('root');
  const server = await makeCertificate('server', { issuer: root });
  const { ServerCertificateMetadata: metadata, Tags } = await t.iam.uploadServerCertificate({
    ServerCertificateName: 'site',
    Path: '/cloudfront/',
    CertificateBody: server.cert,
    PrivateKey: server.private,
    CertificateChain: root.cert,
    Tags: [{ Key: 'team', Value: 'web' }],
  });
  expect(Tags).toEqual([{ Key: 'team', Value: 'web' }]);
  expect(metadata).toEqual({
    Path: '/cloudfront/',
    ServerCertificateName: 'site',
    ServerCertificateId: expect.stringMatching(/^ASCA[A-Z2-7]{17}$/),
    Arn: 'arn:aws:iam::123456789012:server-certificate/cloudfront/site',
    UploadDate: new Date(NOW),
    Expiration: new Date('2036-01-01'),
  });
  expect((await t.iam.getAccountSummary({})).SummaryMap).toMatchObject({ ServerCertificates: 1 });
  expect(bodyOf(await t.iam.getServerCertificate({ ServerCertificateName: 'site' })).ServerCertificate).toEqual({
    ServerCertificateMetadata: metadata,
    CertificateBody: server.cert.trim(),
    CertificateChain: root.cert.trim(),
    Tags: [{ Key: 'team', Value: 'web' }],
  });
  await t.iam.updateServerCertificate({
    ServerCertificateName: 'site',
    NewServerCertificateName: 'shop',
    NewPath: '/',
  });
  expect((await t.iam.listServerCertificates({})).ServerCertificateMetadataList).toEqual([
    { ...metadata, Path: '/', ServerCertificateName: 'shop', Arn: 'arn:aws:iam::123456789012:server-certificate/shop' },
  ]);
  expect((await t.iam.listServerCertificates({ PathPrefix: '/cloudfront/' })).ServerCertificateMetadataList).toEqual(
    [],
  );
  await t.iam.tagServerCertificate({ ServerCertificateName: 'shop', Tags: [{ Key: 'a', Value: 'b' }] });
  await t.iam.untagServerCertificate({ ServerCertificateName: 'shop', TagKeys: ['team'] });
  expect((await t.iam.listServerCertificateTags({ ServerCertificateName: 'shop' })).Tags).toEqual([
    { Key: 'a', Value: 'b' },
  ]);
  await t.iam.deleteServerCertificate({ ServerCertificateName: 'shop' });
  expect(await failureOf(t.iam.getServerCertificate({ ServerCertificateName: 'shop' }))).toBe(
    'NoSuchEntity: The Server Certificate with name shop cannot be found.',
  );
});

test('a server certificate must match its key and its chain', async () => {
  await using t = await start();
  const [root, stranger, expired, future] = await Promise.all([
    makeCertificate('root'),
    makeCertificate('stranger'),
    makeCertificate('old', { to: new Date('2026-06-01') }),
    makeCertificate('new', { from: new Date('2028-01-01') }),
  ]);
  const server = await makeCertificate('server', { issuer: root });
  const upload = (changes: object) =>
    failureOf(
      t.iam.uploadServerCertificate({
        ServerCertificateName: 'site',
        CertificateBody: server.cert,
        PrivateKey: server.private,
        ...changes,
      }),
    );
  const unreadable =
    'MalformedCertificate: Unable to parse certificate. Please ensure the certificate is in PEM format.';
  for (const CertificateBody of GARBAGE) expect(await upload({ CertificateBody }), CertificateBody).toBe(unreadable);
  expect(await upload({ CertificateBody: `${server.cert}\n${root.cert}` })).toBe(unreadable);
  for (const PrivateKey of GARBAGE)
    expect(await upload({ PrivateKey })).toBe(
      'MalformedCertificate: Unable to parse private key. Please ensure the private key is in PEM format.',
    );
  expect(await upload({ PrivateKey: otherKey() })).toContain('KeyPairMismatch: ');
  const broken = (index: number) =>
    `MalformedCertificate: Unable to validate certificate chain. The certificate chain must start with the immediate signing certificate, followed by any intermediaries in order. The index within the chain of the invalid certificate is: ${index}`;
  for (const CertificateChain of [stranger.cert, ...GARBAGE])
    expect(await upload({ CertificateChain })).toBe(broken(-1));
  expect(await upload({ CertificateChain: `${root.cert}\n${stranger.cert}` })).toBe(broken(0));
  expect(await upload({ CertificateBody: expired.cert, PrivateKey: expired.private })).toContain('has expired');
  expect(await upload({ CertificateBody: future.cert, PrivateKey: future.private })).toContain('not valid yet');
  expect((await t.iam.listServerCertificates({})).ServerCertificateMetadataList).toEqual([]);
});

test('names of server certificates are unique, and the quota of twenty is enforced', async () => {
  await using t = await start();
  await enforceQuota(t.emulator, 'iam/L-BF35879D');
  const server = await makeCertificate('server');
  const upload = (ServerCertificateName: string) =>
    t.iam.uploadServerCertificate({
      ServerCertificateName,
      CertificateBody: server.cert,
      PrivateKey: server.private,
    });
  for (let number = 0; number < 20; number++) await upload(`site-${number}`);
  expect(await failureOf(upload('SITE-1'))).toBe(
    'EntityAlreadyExists: The Server Certificate with name SITE-1 already exists.',
  );
  expect(await failureOf(upload('site-20'))).toBe(
    'LimitExceeded: Cannot exceed quota for ServerCertificatesPerAccount: 20',
  );
  expect(
    await failureOf(
      t.iam.updateServerCertificate({ ServerCertificateName: 'site-1', NewServerCertificateName: 'site-2' }),
    ),
  ).toBe('EntityAlreadyExists: The Server Certificate with name site-2 already exists.');
});

test('a user has up to two signing certificates', async () => {
  await using t = await start();
  await t.iam.createUser({ UserName: 'jane' });
  const [one, two, three] = await Promise.all([makeCertificate('1'), makeCertificate('2'), makeCertificate('3')]);
  const upload = (CertificateBody: string, UserName?: string) =>
    t.iam.uploadSigningCertificate({ CertificateBody, ...(UserName !== undefined && { UserName }) });
  const { Certificate } = await upload(one.cert, 'jane');
  expect(Certificate).toEqual({
    UserName: 'jane',
    CertificateId: expect.stringMatching(/^[A-Z2-7]{32}$/),
    CertificateBody: one.cert,
    Status: 'Active',
    UploadDate: new Date(NOW),
  });
  const CertificateId = Certificate!.CertificateId!;
  expect(await failureOf(upload(one.cert, 'jane'))).toContain('DuplicateCertificate: ');
  await upload(two.cert, 'jane');
  expect(await failureOf(upload(three.cert, 'jane'))).toBe(
    'LimitExceeded: Cannot exceed quota for CertificatesPerUser: 2',
  );
  await t.iam.updateSigningCertificate({ UserName: 'jane', CertificateId, Status: 'Inactive' });
  const { Certificates } = await t.iam.listSigningCertificates({ UserName: 'jane' });
  expect(Certificates!.find((certificate) => certificate.CertificateId === CertificateId)!.Status).toBe('Inactive');
  expect(await failureOf(t.iam.deleteUser({ UserName: 'jane' }))).toBe(
    'DeleteConflict: Cannot delete entity, must delete signing certificates first.',
  );
  for (const certificate of Certificates!)
    await t.iam.deleteSigningCertificate({ UserName: 'jane', CertificateId: certificate.CertificateId! });
  await t.iam.deleteUser({ UserName: 'jane' });
  // The root user can have certificates, too.
  await upload(three.cert);
  expect((await t.iam.listSigningCertificates({})).Certificates).toHaveLength(1);
  expect((await t.iam.getAccountSummary({})).SummaryMap).toMatchObject({ AccountSigningCertificatesPresent: 1 });
});

test('rejects invalid certificates', async () => {
  await using t = await start();
  await t.iam.createUser({ UserName: 'jane' });
  for (const CertificateBody of GARBAGE)
    expect(await failureOf(t.iam.uploadSigningCertificate({ UserName: 'jane', CertificateBody }))).toBe(
      `MalformedCertificate: Certificate ${CertificateBody} is malformed.`,
    );
  const expired = await makeCertificate('old', { to: new Date('2026-06-01') });
  expect(
    await failureOf(t.iam.uploadSigningCertificate({ UserName: 'jane', CertificateBody: expired.cert })),
  ).toContain('InvalidCertificate: ');
  const unknown = { UserName: 'jane', CertificateId: 'NONEXISTENTCERTID12345678901' };
  const missing = 'NoSuchEntity: The Certificate with id NONEXISTENTCERTID12345678901 cannot be found.';
  expect(await failureOf(t.iam.deleteSigningCertificate(unknown))).toBe(missing);
  expect(await failureOf(t.iam.updateSigningCertificate({ ...unknown, Status: 'Active' }))).toBe(missing);
  expect(await failureOf(t.iam.uploadSigningCertificate({ UserName: 'nobody', CertificateBody: 'x' }))).toBe(
    'NoSuchEntity: The user with name nobody cannot be found.',
  );
});
