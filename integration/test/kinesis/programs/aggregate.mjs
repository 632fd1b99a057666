// Aggregates texts into one record with aws-kinesis-agg: node aggregate.mjs put <text>… prints the record's data in
// base64; node aggregate.mjs take <base64> unpacks a record and prints its partition keys and texts.
import { createRequire } from 'node:module';

const { RecordAggregator, deaggregateSync } = createRequire(import.meta.url)('aws-kinesis-agg');

const fail = (error) => {
  console.error(error);
  process.exit(1);
};

const [command, ...values] = process.argv.slice(2);
if (command === 'put') {
  const aggregator = new RecordAggregator();
  for (const value of values) aggregator.addUserRecord({ partitionKey: `of ${value}`, data: Buffer.from(value) });
  aggregator.flushBufferedRecords((error, record) => {
    if (error) fail(error);
    console.log(Buffer.from(record.data).toString('base64'));
  });
} else
  deaggregateSync({ data: values[0], sequenceNumber: '1' }, true, (error, records) => {
    if (error) fail(error);
    const found = records.map(({ partitionKey, data }) => [partitionKey, Buffer.from(data, 'base64').toString()]);
    console.log(JSON.stringify(found));
  });
