/**
 * Writes the service models of wire's tests from the installed botocore: `npx tsx
 * tools/model-gen/test/make-wire-models.ts`. For the largest services, only operations that together use every kind of
 * shape and binding are kept.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type BotocoreService, fromBotocore } from '../src/index.ts';

const SERVICES: { service: string; path: string; operations?: RegExp }[] = [
  { service: 'secretsmanager', path: 'secretsmanager/2017-10-17' },
  { service: 'lambda', path: 'lambda/2015-03-31' },
  { service: 'cloudwatch', path: 'cloudwatch/2010-08-01' },
  { service: 's3', path: 's3/2006-03-01' },
  {
    service: 'ec2',
    path: 'ec2/2016-11-15',
    operations:
      /^(RunInstances|(Describe|Start|Stop|Terminate)Instances|(Create|Delete|Describe)(Vpcs?|Subnets?|SecurityGroups?|KeyPairs?|Volumes?|Snapshots?|Tags|RouteTables?|Images?|LaunchTemplates?)|AuthorizeSecurityGroup(In|E)gress|ModifyInstanceAttribute|ImportKeyPair|RequestSpotInstances)$/,
  },
];

const script = 'import botocore, os; print(botocore.__version__); print(os.path.dirname(botocore.__file__))';
const [version, folder] = execFileSync('python3', ['-c', script], { encoding: 'utf8' }).trim().split('\n');

for (const { service, path, operations } of SERVICES) {
  const file = join(folder!, 'data', path, 'service-2.json.gz');
  const description = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as BotocoreService;
  if (operations)
    description.operations = Object.fromEntries(
      Object.entries(description.operations).filter(([name]) => operations.test(name)),
    );
  const model = fromBotocore(service, description, { botocore: version!, path });
  writeFileSync(
    join(import.meta.dirname, '../../../packages/wire/test/model', `${service}.json`),
    `${JSON.stringify(model)}\n`,
  );
}
