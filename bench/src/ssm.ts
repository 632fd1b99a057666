import { type Benchmark, besideBare, type Prepare } from './compare.ts';
import { call } from './processes.ts';
import { ssm } from './requests.ts';

const Name = '/app/db/host';
const put = ssm('PutParameter', { Name, Value: 'db.example.com', Type: 'String' });
const READ = JSON.stringify({
  Parameter: {
    ARN: `arn:aws:ssm:us-east-1:123456789012:parameter${Name}`,
    DataType: 'text',
    LastModifiedDate: 1735689600.123,
    Name,
    Type: 'String',
    Value: 'db.example.com',
    Version: 1,
  },
});

/** Asks for one parameter. */
const get = (): Prepare => {
  let made = false;
  return async (server) => {
    if (!made) await call(server, put);
    made = true;
    return [ssm('GetParameter', { Name })];
  };
};

/** What Parameter Store is measured by. */
export const ssmBenchmarks: Readonly<Record<string, Benchmark>> = {
  'get-parameter': besideBare('Systems Manager GetParameter', READ, get, 0.45),
};
