import type { EndpointName } from '@emu/core/service';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { describe, expect, it } from 'vitest';
import { HostParser, hostNameOf } from '../../../packages/gateway/src/identify/hosts.ts';

const KNOWN = new Set(['sqs', 'queue', 's3', 'sts', 'dynamodb', 'streams.dynamodb', 'ecr', 'api.ecr']);
const parserFor = (domain: string) => new HostParser(KNOWN, [s3.hosts!], domain);
const parser = parserFor('emu.test');
const parse = (host: string) => parser.endpointOf(host);
const facts = (label: string, region?: string, prefix?: string): EndpointName => ({ label, region, prefix });

describe('host names', () => {
  // The table of the specification, row by row, with the emulator's domain emu.test.
  it.each([
    ['sqs.eu-west-1.localhost.emu.test', facts('sqs', 'eu-west-1')],
    ['sqs.eu-west-1.localhost.emu.test:4566', facts('sqs', 'eu-west-1')],
    ['photos.s3.eu-west-1.localhost.emu.test:4566', facts('s3', 'eu-west-1', 'photos')],
    ['sqs.eu-west-1.amazonaws.com', facts('sqs', 'eu-west-1')],
    ['s3.eu-west-1.amazonaws.com', facts('s3', 'eu-west-1')],
    ['photos.s3.eu-west-1.amazonaws.com', facts('s3', 'eu-west-1', 'photos')],
    ['s3.amazonaws.com', facts('s3', 'us-east-1')],
    ['photos.s3.amazonaws.com', facts('s3', 'us-east-1', 'photos')],
    ['s3-eu-west-1.amazonaws.com', facts('s3', 'eu-west-1')],
    ['photos.s3-eu-west-1.amazonaws.com', facts('s3', 'eu-west-1', 'photos')],
  ])('%s', (host, expected) => {
    expect(parse(host)).toEqual(expected);
  });

  it.each([
    'my.photos.2024.s3.eu-west-1.localhost.emu.test',
    'my.photos.2024.s3.eu-west-1.amazonaws.com',
    'my.photos.2024.s3-eu-west-1.amazonaws.com',
    'my.photos.2024.s3.eu-west-1.localhost:4566',
  ])('finds a bucket with dots in %s', (host) => {
    expect(parse(host)).toEqual(facts('s3', 'eu-west-1', 'my.photos.2024'));
  });

  it('uses the part before the last trailer as bucket', () => {
    expect(parse('a.s3.us-east-1.b.s3.eu-west-1.amazonaws.com')).toEqual(facts('s3', 'eu-west-1', 'a.s3.us-east-1.b'));
    expect(parse('us-west-2.s3.amazonaws.com')).toEqual(facts('s3', 'us-east-1', 'us-west-2'));
    expect(parse('x.localhost.y.s3.eu-west-1.localhost')).toEqual(facts('s3', 'eu-west-1', 'x.localhost.y'));
  });

  it('accepts every form of localhost', () => {
    for (const domain of ['localhost', 'localhost.localstack.cloud', 'localhost.a.b.c', 'emu.test'])
      for (const port of ['', ':4566']) {
        expect(parse(`sqs.eu-west-1.${domain}${port}`), domain).toEqual(facts('sqs', 'eu-west-1'));
        expect(parse(`photos.s3.${domain}${port}`), domain).toEqual(facts('s3', undefined, 'photos'));
        expect(parse(`sts.${domain}${port}`), domain).toEqual(facts('sts'));
      }
    expect(parserFor('emulator.localhost').endpointOf('sqs.eu-west-1.localhost.emulator.localhost')).toEqual(
      facts('sqs', 'eu-west-1'),
    );
  });

  it("parses AWS's partitions and other forms", () => {
    expect(parse('sqs.cn-north-1.amazonaws.com.cn')).toEqual(facts('sqs', 'cn-north-1'));
    expect(parse('photos.s3.cn-northwest-1.amazonaws.com.cn')).toEqual(facts('s3', 'cn-northwest-1', 'photos'));
    expect(parse('sqs.us-gov-west-1.amazonaws.com')).toEqual(facts('sqs', 'us-gov-west-1'));
    expect(parse('s3.dualstack.eu-west-1.amazonaws.com')).toEqual(facts('s3', 'eu-west-1'));
    expect(parse('photos.s3.dualstack.eu-west-1.amazonaws.com')).toEqual(facts('s3', 'eu-west-1', 'photos'));
    expect(parse('sqs-fips.us-east-2.amazonaws.com')).toEqual(facts('sqs', 'us-east-2'));
    expect(parse('sqs.eu-west-1.api.aws')).toEqual(facts('sqs', 'eu-west-1'));
    expect(parse('eu-west-1.queue.amazonaws.com')).toEqual(facts('queue', 'eu-west-1'));
    expect(parse('queue.amazonaws.com')).toEqual(facts('queue', 'us-east-1'));
    expect(parse('streams.dynamodb.eu-west-1.amazonaws.com')).toEqual(facts('streams.dynamodb', 'eu-west-1'));
    expect(parse('api.ecr.eu-west-1.amazonaws.com')).toEqual(facts('api.ecr', 'eu-west-1'));
    expect(parse('123.dkr.ecr.eu-west-1.amazonaws.com')).toEqual(facts('ecr', 'eu-west-1', '123.dkr'));
  });

  it('rejects other names', () => {
    for (const host of [
      'localhost',
      'localhost:4566',
      '127.0.0.1:4566',
      '[::1]:4566',
      'emu.test',
      'amazonaws.com',
      'example.com',
      'sqs.eu-west-1.example.com',
      'unknown.eu-west-1.amazonaws.com',
      'eu-west-1.amazonaws.com',
      '',
      '.localhost',
      '..s3',
    ])
      expect(parse(host), host).toBeUndefined();
  });

  it('name unsupported services', () => {
    const unknown = (host: string) => parser.unknownServiceOf(host);
    expect(unknown('ecs.eu-west-1.amazonaws.com')).toBe('ecs');
    expect(unknown('route53.amazonaws.com:443')).toBe('route53');
    expect(unknown('abc123.execute-api.eu-west-1.amazonaws.com')).toBe('execute-api');
    expect(unknown('ecs.cn-north-1.amazonaws.com.cn')).toBe('ecs');
    expect(unknown('ecs.eu-west-1.localhost.emu.test:4566')).toBe('ecs');
    expect(unknown('ecs.eu-west-1.localhost')).toBe('ecs');
    for (const host of ['localhost:4566', 'emu.localhost', 'bucket.localhost.emu.test', 'amazonaws.com', 'emu', ''])
      expect(unknown(host), host).toBeUndefined();
  });

  it('of transfer acceleration and the older us-east-1 belong to S3', () => {
    expect(parse('my.photos.s3-accelerate.amazonaws.com')).toEqual(facts('s3', 'us-east-1', 'my.photos'));
    expect(parse('photos.s3-accelerate.dualstack.amazonaws.com')).toEqual(facts('s3', 'us-east-1', 'photos'));
    expect(parse('photos.s3-external-1.amazonaws.com')).toEqual(facts('s3', 'us-east-1', 'photos'));
  });

  it('are compared without port, case and final dot', () => {
    expect(hostNameOf('SQS.Eu-West-1.LOCALHOST.:4566')).toBe('sqs.eu-west-1.localhost');
    expect(hostNameOf('[::1]:4566')).toBe('[::1]');
  });
});
