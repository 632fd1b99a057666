// Reads a stream with lifion-kinesis, and prints each record as a line of JSON. node lifion.mjs <port> <stream>
// <fan-out | polling>
import dns from 'node:dns';
import { createRequire } from 'node:module';

const Kinesis = createRequire(import.meta.url)('lifion-kinesis');

const [port, streamName, way] = process.argv.slice(2);
// Its fan-out ignores the endpoint and uses AWS's own host name, which resolves to emu here, as in emu's DNS.
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith('.amazonaws.com') ? '127.0.0.1' : name, ...rest);
const region = 'us-east-1';
const aws = (service) => ({
  region,
  endpoint: `http://${service}.${region}.amazonaws.com:${port}`,
  accessKeyId: 'test',
  secretAccessKey: 'test',
});
const consumer = new Kinesis({
  ...aws('kinesis'),
  streamName,
  consumerGroup: 'group',
  useEnhancedFanOut: way === 'fan-out',
  initialPositionInStream: 'TRIM_HORIZON',
  leaseAcquisitionInterval: 200,
  leaseAcquisitionRecoveryInterval: 100,
  noRecordsPollDelay: 250,
  maxEnhancedConsumers: 1,
  dynamoDb: { ...aws('dynamodb'), tableName: `leases-${streamName}` },
});
consumer.on('data', ({ records }) => {
  for (const { data } of records) console.log(JSON.stringify(data));
});
consumer.on('error', (error) => {
  console.error(error);
  process.exit(1);
});
await consumer.startConsumer();
