import { describe, expect, it } from 'vitest';
import { type AwsError, awsError, compileService, type ServiceModel, type WireRequest } from '../src/index.ts';
import { modelOf } from './support/services.ts';

const s3Model = modelOf('test/model/s3.json');
const [s3] = compileService(s3Model).protocols;

const request = (method: string, target: string, body: string | Uint8Array = ''): WireRequest => {
  const [path, query = ''] = target.split('?') as [string, string?];
  return { method, path, query, headers: {}, body: Buffer.from(body as string) };
};

/** Returns the input decoded from a request for S3. */
function input(method: string, target: string, body: string | Uint8Array): unknown {
  const made = request(method, target, body);
  return s3!.decode(s3!.match(made)!.name, made);
}

function refusal(body: string | Uint8Array, target = '/b?tagging'): string {
  try {
    input('PUT', target, body);
  } catch (error) {
    const { code, status, message } = error as AwsError;
    return `${status} ${code}: ${message}`;
  }
  throw new Error('it was taken');
}

const MALFORMED =
  '400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema';

describe('restXml requests', () => {
  it('accept documents with or without a namespace, with any prefix', () => {
    const tagging = { TagSet: [{ Key: 'a', Value: ' b ' }] };
    for (const body of [
      '<Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><TagSet><Tag><Key>a</Key><Value> b </Value></Tag></TagSet></Tagging>',
      '<s:Tagging xmlns:s="http://s3.amazonaws.com/doc/2006-03-01/"><s:TagSet><s:Tag><s:Key>a</s:Key><s:Value> b </s:Value></s:Tag></s:TagSet></s:Tagging>',
      '\n<?xml-stylesheet href="x"?><Tagging>\n<TagSet>\n<Tag><Key>a</Key><Value> b </Value><Unknown/></Tag></TagSet></Tagging>',
    ])
      expect(input('PUT', '/b?tagging', body)).toEqual({ Bucket: 'b', Tagging: tagging });
  });

  it('have flattened lists, numbers, booleans and timestamps', () => {
    const body = `<LifecycleConfiguration><Rule><ID>1</ID><Status>Enabled</Status><Filter><Prefix/></Filter>
      <Expiration><Date>2024-01-02T00:00:00.000Z</Date><ExpiredObjectDeleteMarker> true </ExpiredObjectDeleteMarker></Expiration></Rule>
      <Rule><Status>Disabled</Status><Expiration><Days>\n7\n</Days></Expiration></Rule></LifecycleConfiguration>`;
    expect(input('PUT', '/b?lifecycle', body)).toEqual({
      Bucket: 'b',
      LifecycleConfiguration: {
        Rules: [
          {
            ID: '1',
            Status: 'Enabled',
            Filter: { Prefix: '' },
            Expiration: { Date: new Date('2024-01-02T00:00:00Z'), ExpiredObjectDeleteMarker: true },
          },
          { Status: 'Disabled', Expiration: { Days: 7 } },
        ],
      },
    });
  });

  it('match the only operation at their address even without a required member', () => {
    const operationOf = (method: string, target: string, headers: Record<string, string> = {}) =>
      s3!.match({ ...request(method, target), headers })?.name;
    expect(operationOf('GET', '/b/k?attributes')).toBe('GetObjectAttributes');
    expect(operationOf('PUT', '/b/k?renameObject')).toBe('RenameObject');
    expect(operationOf('PUT', '/b?analytics')).toBe('PutBucketAnalyticsConfiguration');
    // Here other members exist.
    expect(operationOf('GET', '/b?analytics')).toBe('ListBucketAnalyticsConfigurations');
    expect(operationOf('GET', '/b?analytics&id=1')).toBe('GetBucketAnalyticsConfiguration');
    expect(operationOf('PUT', '/b/k?uploadId=1')).toBe('PutObject');
    expect(operationOf('PUT', '/b/k?uploadId=1&partNumber=1')).toBe('UploadPart');
    expect(operationOf('PUT', '/b/k', { 'x-amz-copy-source': 'b/k' })).toBe('CopyObject');
  });

  it('accept attributes with any prefix', () => {
    const grants = (attribute: string) =>
      `<AccessControlPolicy><AccessControlList><Grant><Grantee ${attribute}="Group"><URI>u</URI></Grantee></Grant></AccessControlList></AccessControlPolicy>`;
    const expected = { Bucket: 'b', AccessControlPolicy: { Grants: [{ Grantee: { Type: 'Group', URI: 'u' } }] } };
    const namespace = 'http://www.w3.org/2001/XMLSchema-instance';
    expect(input('PUT', '/b?acl', grants(`xmlns:xsi="${namespace}" xsi:type`))).toEqual(expected);
    expect(input('PUT', '/b?acl', grants(`xmlns:i="${namespace}" i:type`))).toEqual(expected);
  });

  it.each([
    ['<Tagging>'],
    ['{"Tagging": {}}'],
    [Buffer.from([0x3c, 0xff, 0x3e])],
    ['<!DOCTYPE a [<!ENTITY b "c">]><Tagging/>'],
    ['<Other/>'],
    ['<Tagging>text</Tagging>'],
    ['<Tagging><TagSet/><TagSet/></Tagging>'],
    ['<Tagging><TagSet><Tag><Key><Inner/></Key></Tag></TagSet></Tagging>'],
  ])('rejects: %s', (body) => expect(refusal(body)).toBe(MALFORMED));

  it('are rejected for a value of the wrong type', () => {
    const days = (value: string) =>
      `<LifecycleConfiguration><Rule><Expiration>${value}</Expiration></Rule></LifecycleConfiguration>`;
    for (const value of ['<Days>x</Days>', '<Days/>', '<Date>x</Date>'])
      expect(refusal(days(value), '/b?lifecycle')).toBe(MALFORMED);
  });

  it('are rejected for a query parameter that is no integer of 32 bits', () => {
    const list = (value: string) => input('GET', `/b?list-type=2&max-keys=${value}`, '');
    expect(list('2147483647')).toMatchObject({ MaxKeys: 2_147_483_647 });
    for (const value of ['2147483648', '-2147483649', 'abc'])
      expect(() => list(value)).toThrow('Provided max-keys not an integer or within integer range');
  });
});

describe('restXml responses', () => {
  it('contain two request ids, as in S3', () => {
    const { headers } = s3!.encode('DeleteBucket', {}, 'ABCDEF0123456789');
    expect(headers).toEqual({
      'x-amz-request-id': 'ABCDEF0123456789',
      'x-amz-id-2': expect.stringMatching(/^[A-Za-z0-9+/]{75}=$/),
    });
  });

  it('declare namespaces and write attributes and flattened lists', () => {
    const [protocol] = compileService({
      ...s3Model,
      metadata: { ...s3Model.metadata, xmlNamespace: { uri: 'http://s3.amazonaws.com/doc/2006-03-01/' } },
      operations: {
        ...s3Model.operations,
        ListObjectsV2: {
          ...s3Model.operations.ListObjectsV2!,
          output: { shape: 'ListObjectsV2Output', locationName: 'ListBucketResult' },
        },
      },
    }).protocols;
    const list = protocol!.encode('ListObjectsV2', { Contents: [{ Key: 'a&b' }, { Key: 'c' }], KeyCount: 2 }, 'r');
    expect(list.headers['Content-Type']).toBe('application/xml');
    expect(list.body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Contents><Key>a&amp;b</Key></Contents><Contents><Key>c</Key></Contents><KeyCount>2</KeyCount></ListBucketResult>',
    );
    expect(
      protocol!.encode('GetBucketAcl', { Grants: [{ Grantee: { Type: 'Group', URI: 'u' } }] }, 'r').body,
    ).toContain(
      '<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Group"><URI>u</URI></Grantee>',
    );
  });

  it('contain the only member of an output as document if modelled', () => {
    const model: ServiceModel = structuredClone(s3Model);
    model.metadata.xmlNamespace = { uri: 'urn:s3' };
    model.operations.GetBucketLocation!.output!.unwrapped = true;
    const [protocol] = compileService(model).protocols;
    const body = (output: unknown) => protocol!.encode('GetBucketLocation', output, 'r').body;
    const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
    expect(body({ LocationConstraint: 'EU' })).toBe(
      `${head}<LocationConstraint xmlns="urn:s3">EU</LocationConstraint>`,
    );
    expect(body({})).toBe(`${head}<LocationConstraint xmlns="urn:s3"/>`);
  });

  it('contain S3 errors without an envelope and with unmodelled members', () => {
    const { status, headers, body } = s3!.encodeError(
      awsError('NoSuchKey', 'The specified key does not exist.', { status: 404, members: { Key: 'a<b' } }),
      'R1',
      'GetObject',
    );
    expect([status, headers['Content-Type'], headers['x-amz-request-id']]).toEqual([404, 'application/xml', 'R1']);
    expect(body).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>a&lt;b</Key><RequestId>R1</RequestId><HostId>${headers['x-amz-id-2'] as string}</HostId></Error>`,
    );
  });

  it('have no body for HEAD requests and status 304', () => {
    const missing = s3!.encodeError(awsError('NoSuchKey', 'No.', { status: 404 }), 'R1', 'HeadObject');
    expect([missing.status, missing.body, missing.headers['Content-Type']]).toEqual([404, '', undefined]);
    const same = awsError('NotModified', 'Not modified.', { status: 304, headers: { ETag: '"1"' } });
    expect(s3!.encodeError(same, 'R1', 'GetObject')).toMatchObject({ status: 304, body: '', headers: { ETag: '"1"' } });
  });

  it('of other services wrap their errors', () => {
    const model: ServiceModel = structuredClone(s3Model);
    delete model.metadata.noErrorWrapping;
    const [control] = compileService(structuredClone(model)).protocols;
    expect(control!.encodeError(awsError('NoSuchThing', 'None.', { members: { Name: 'n' } }), 'R1').body).toMatch(
      /<ErrorResponse><Error><Code>NoSuchThing<\/Code><Message>None.<\/Message><Name>n<\/Name><\/Error><RequestId>R1<\/RequestId><HostId>.+<\/HostId><\/ErrorResponse>$/,
    );
    model.metadata.signingName = 'zoo';
    const [protocol] = compileService(model).protocols;
    expect(protocol!.encodeError(awsError('NoSuchThing', 'None.'), 'R1').body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ErrorResponse><Error><Type>Sender</Type><Code>NoSuchThing</Code><Message>None.</Message></Error><RequestId>R1</RequestId></ErrorResponse>',
    );
  });
});
