import { expect, test } from 'vitest';
import { dnsSuffixOf, formatArn, isRegionName, parseArn, partitionOf } from '../src/service.ts';

test.each([
  ['us-east-1', 'aws', 'amazonaws.com'],
  ['eu-central-1', 'aws', 'amazonaws.com'],
  ['cn-north-1', 'aws-cn', 'amazonaws.com.cn'],
  ['us-gov-west-1', 'aws-us-gov', 'amazonaws.com'],
  ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov'],
  ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov'],
  ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk'],
  ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov'],
  ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu'],
])('region %s is in partition %s', (region, partition, suffix) => {
  expect(partitionOf(region)).toBe(partition);
  expect(dnsSuffixOf(region)).toBe(suffix);
  expect(isRegionName(region)).toBe(true);
});

test.each(['', 'us', 'us-east', 'US-EAST-1', '123', 'localhost', 's3'])('%j is not a region', (name) => {
  expect(isRegionName(name)).toBe(false);
});

test('an ARN has the partition of its region, or of the home region without one', () => {
  const queue = { service: 'sqs', region: 'cn-north-1', accountId: '123456789012', resource: 'jobs' };
  expect(formatArn(queue)).toBe('arn:aws-cn:sqs:cn-north-1:123456789012:jobs');
  const role = { service: 'iam', region: '', accountId: '123456789012', resource: 'role/app' };
  expect(formatArn(role, 'us-gov-west-1')).toBe('arn:aws-us-gov:iam::123456789012:role/app');
});

test('an ARN is split into its parts', () => {
  expect(parseArn('arn:aws:sns:eu-west-1:123456789012:topic:6f1c')).toEqual({
    partition: 'aws',
    service: 'sns',
    region: 'eu-west-1',
    accountId: '123456789012',
    resource: 'topic:6f1c',
  });
  expect(parseArn('arn:aws:s3:::bucket/a b\nc')?.resource).toBe('bucket/a b\nc');
  for (const text of ['', 'arn:aws:s3', 'arn:aws:s3:::', 'urn:aws:s3:::bucket']) expect(parseArn(text)).toBeUndefined();
});
