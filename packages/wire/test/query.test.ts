import { describe, expect, it } from 'vitest';
import { type AwsError, awsError, compileService, type ServiceModel, type WireRequest } from '../src/index.ts';
import { smallModel } from './support/small-model.ts';

const request = (body: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
  body: Buffer.from(body),
  ...more,
});

const codecOf = (change?: (model: ServiceModel) => void) => compileService(smallModel(['awsQuery'], change));
const protocol = codecOf().protocols[0]!;

/** Returns the input decoded from a form. */
const input = (form: string, of = protocol): unknown => of.decode('PutAnimal', request(`Action=PutAnimal&${form}`));

/** Returns the error for a form as `Code: message`. */
function refusal(form: string): string {
  try {
    input(form);
  } catch (error) {
    const { code, message, status } = error as AwsError;
    return `${status} ${code}: ${message}`;
  }
  throw new Error('it was taken');
}

describe('awsQuery requests', () => {
  it('name the operation in the body or in the query string', () => {
    expect(protocol.match(request('Version=2024-01-01&Action=Ping'))?.name).toBe('Ping');
    const get = request('', { method: 'GET', query: 'Action=PutAnimal&Name=cat', headers: {} });
    expect(protocol.match(get)?.name).toBe('PutAnimal');
    expect(protocol.decode('PutAnimal', get)).toEqual({ Name: 'cat' });
    expect(protocol.decode('PutAnimal', request('Kind=CAT', { query: 'Action=PutAnimal&Name=cat' }))).toEqual({
      Name: 'cat',
      Kind: 'CAT',
    });
  });

  it('name nothing if the action is missing or unknown', () => {
    for (const form of ['', 'Version=1', 'Action=', 'Action=Nothing', 'Action=toString', 'XAction=Ping'])
      expect(protocol.match(request(form)), form).toBeUndefined();
  });

  it('have values of every type', () => {
    const form = [
      'Name=a+b%26%C3%A9',
      'Count=-12',
      'Long=9007199254740991',
      'Double=1.5e3',
      'Tame=true',
      'Photo=AQI%3D',
      'Born=2024-01-02T03%3A04%3A05Z',
    ].join('&');
    expect(input(form)).toEqual({
      Name: 'a b&é',
      Count: -12,
      Long: 9007199254740991,
      Double: 1500,
      Tame: true,
      Photo: Buffer.from([1, 2]),
      Born: new Date('2024-01-02T03:04:05Z'),
    });
    expect(input('Tame=0&Double=NaN&Name=')).toEqual({ Tame: false, Double: Number.NaN, Name: '' });
  });

  it('have lists in the order of their indexes', () => {
    expect(input('Names.member.10=c&Names.member.2=b&Names.member.1=a')).toEqual({ Names: ['a', 'b', 'c'] });
    expect(input('Names.member.999999999=x')).toEqual({ Names: ['x'] });
    expect(input('Names=')).toEqual({ Names: [] });
    expect(input('Young.member.1.Name=a&Young.member.1.Young.member.1.Name=b')).toEqual({
      Young: [{ Name: 'a', Young: [{ Name: 'b' }] }],
    });
  });

  it('have maps of numbered entries', () => {
    expect(input('Tags.entry.1.key=a&Tags.entry.1.value=0.5&Tags.entry.2.key=__proto__&Tags.entry.2.value=1')).toEqual({
      Tags: JSON.parse('{"a":0.5,"__proto__":1}') as unknown,
    });
    expect(input('Tags=')).toEqual({ Tags: {} });
  });

  it('have flattened and renamed collections', () => {
    const renamed = codecOf(({ shapes }) => {
      Object.assign(shapes.PutAnimalInput!.members!.Names!, { flattened: true, locationName: 'AnimalName' });
      Object.assign(shapes.PutAnimalInput!.members!.Tags!, { flattened: true, locationName: 'Tag' });
      Object.assign(shapes.Tags!, {
        key: { shape: 'Name', locationName: 'Name' },
        value: { shape: 'Weight', locationName: 'Value' },
      });
      shapes.Sparse!.member!.locationName = 'item';
    }).protocols[0]!;
    expect(input('AnimalName.1=a&AnimalName.2=b&Tag.1.Name=t&Tag.1.Value=1&Sparse.item.1=s', renamed)).toEqual({
      Names: ['a', 'b'],
      Tags: { t: 1 },
      Sparse: ['s'],
    });
  });

  it('can have parameters outside of any shape', () => {
    expect(input('Name=a&Nothing=1&Nothing.here.too=2&__proto__.x=3&&=')).toEqual({ Name: 'a' });
  });

  it.each([
    ['Count=', '400 MalformedInput: missing value for integer type'],
    ['Tame=', '400 MalformedInput: missing value for boolean type'],
    ['Tame=TRUE', '400 MalformedInput: boolean must follow xsd1.1 definition'],
    ['Count=abc', "400 MalformedInput: 'abc' can not be converted to an Integer"],
    ['Count=2147483648', "400 MalformedInput: '2147483648' can not be converted to an Integer"],
    ['Double=1,5', "400 MalformedInput: '1,5' can not be converted to a Double"],
    ['Born=yesterday', '400 MalformedInput: timestamp must follow ISO8601: yesterday'],
    ['Names.1=a', '400 MalformedInput: Top level element may not be treated as a list'],
    ['Names.member.x=a', '400 MalformedInput: x is not a valid index of a list'],
    ['Names=a', '400 MalformedInput: Unexpected list element termination'],
    ['Name.First=a', '400 MalformedInput: Start of structure or map found where not expected.'],
    ['Food=hay', '400 MalformedInput: Unexpected complex element termination'],
    ['Tags.entry.1.key=a', '400 MalformedInput: Unexpected map element termination'],
    [`Name${'.a'.repeat(200)}=1`, '400 MalformedInput: Parameters are nested too deeply'],
    ['Name=%E9', '404 MalformedQueryString: The query string contains a syntax error.'],
  ])('rejects: %s', (form, error) => expect(refusal(form)).toBe(error));

  it('cannot create a tree much larger than themselves', () => {
    const form = (count: number, suffix: string): string =>
      Array.from({ length: count }, (_, index) => `${index.toString(36)}${suffix}=`).join('&');
    expect(refusal(form(100_000, '.a'))).toBe('400 MalformedInput: There are too many parameters');
    expect(refusal(form(300_000, ''))).toBe('400 MalformedInput: There are too many parameters');
    // The size of 1,000 metrics with 30 dimensions each.
    expect(input(`Name=a&${form(30_000, '.a')}&${form(60_000, 'x')}`)).toEqual({ Name: 'a' });
  });
});

describe('awsQuery responses', () => {
  it('wrap the members of the output', () => {
    const { status, headers, body } = protocol.encode(
      'PutAnimal',
      {
        Name: '<&">\r\u0001',
        Double: Number.NEGATIVE_INFINITY,
        Photo: Buffer.from([1, 2]),
        Born: new Date('2024-01-02T03:04:05.600Z'),
        Names: ['a', 'b'],
        Tags: { t: 1 },
        Unknown: 'never sent',
      },
      'request-1',
    );
    expect(status).toBe(200);
    expect(headers).toEqual({ 'x-amzn-RequestId': 'request-1', 'Content-Type': 'text/xml;charset=UTF-8' });
    expect(body).toBe(
      [
        '<PutAnimalResponse xmlns="http://zoo.amazonaws.com/doc/2024-01-01/"><PutAnimalResult>',
        '<Name>&lt;&amp;&quot;&gt;&#xD;&#x1;</Name><Double>-Infinity</Double><Photo>AQI=</Photo>',
        '<Born>2024-01-02T03:04:05.600Z</Born><Names><member>a</member><member>b</member></Names>',
        '<Tags><entry><key>t</key><value>1</value></entry></Tags></PutAnimalResult>',
        '<ResponseMetadata><RequestId>request-1</RequestId></ResponseMetadata></PutAnimalResponse>',
      ].join(''),
    );
  });

  it('have an empty result for an empty output, and none for an operation without output', () => {
    expect(protocol.encode('PutAnimal', {}, 'r').body).toContain('<PutAnimalResult/>');
    expect(protocol.encode('Ping', undefined, 'r').body).toBe(
      '<PingResponse xmlns="http://zoo.amazonaws.com/doc/2024-01-01/"><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></PingResponse>',
    );
  });

  it('rejects outputs of another shape', () => {
    expect(() => protocol.encode('PutAnimal', { Names: 'a' }, 'r')).toThrow(TypeError);
  });

  it('contain errors with their codes, types and members', () => {
    const escaped = protocol.encodeError(
      awsError('AnimalEscaped', 'It is <out>.', { members: { Name: 'leo' } }),
      'r',
      'PutAnimal',
    );
    expect(escaped.status).toBe(409);
    expect(escaped.body).toBe(
      [
        '<ErrorResponse xmlns="http://zoo.amazonaws.com/doc/2024-01-01/"><Error><Type>Sender</Type>',
        '<Code>Zoo.AnimalEscaped</Code><Message>It is &lt;out&gt;.</Message><Name>leo</Name></Error>',
        '<RequestId>r</RequestId></ErrorResponse>',
      ].join(''),
    );
    const fire = protocol.encodeError(awsError('ZooOnFire', ''), 'r');
    expect(fire.status).toBe(500);
    expect(fire.body).toContain('<Error><Type>Receiver</Type><Code>ZooOnFire</Code></Error>');
  });

  it('of a service with newer protocols equal those of the older service', () => {
    const old = smallModel(['awsJson1_0', 'awsQuery'], ({ metadata }) => {
      metadata.queryCompatible = true;
    });
    const [, legacy] = compileService(old).protocols;
    expect(legacy!.encode('Ping', undefined, 'r').body).toMatch(/^<\?xml version="1\.0"\?><PingResponse /);
    expect(legacy!.encodeError(awsError('AccessDenied', 'No.'), 'r').body).toMatch(
      /^<\?xml version="1\.0"\?><ErrorResponse .*<Message>No\.<\/Message><Detail\/><\/Error>/,
    );
  });
});

describe('ec2Query', () => {
  const [ec2] = codecOf(({ metadata, shapes }) => {
    metadata.protocols = ['ec2Query'];
    Object.assign(shapes.PutAnimalInput!.members!.Names!, { locationName: 'animalName' });
    Object.assign(shapes.PutAnimalInput!.members!.Count!, { locationName: 'count', queryName: 'number' });
    Object.assign(shapes.PutAnimalOutput!.members!.Name!, { locationName: 'name' });
  }).protocols as [typeof protocol];

  it('reads capitalised names, query names and lists without member', () => {
    expect(input('AnimalName.2=b&AnimalName.1=a&number=3&Young.1.Young.1.Name=x', ec2)).toEqual({
      Names: ['a', 'b'],
      Count: 3,
      Young: [{ Young: [{ Name: 'x' }] }],
    });
  });

  it('answers without a result element', () => {
    expect(ec2.encode('PutAnimal', { Name: 'cat' }, 'r').body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<PutAnimalResponse xmlns="http://zoo.amazonaws.com/doc/2024-01-01/"><requestId>r</requestId><name>cat</name></PutAnimalResponse>',
    );
    expect(ec2.encode('Ping', {}, 'r').body).toContain('<requestId>r</requestId><return>true</return></PingResponse>');
  });

  it('lists its errors', () => {
    expect(ec2.encodeError(awsError('InvalidVpcID.NotFound', "The vpc ID 'x' does not exist"), 'r').body).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>InvalidVpcID.NotFound</Code><Message>The vpc ID 'x' does not exist</Message></Error></Errors><RequestID>r</RequestID></Response>`,
    );
  });
});

describe('names of the query protocol', () => {
  it('differ from those of JSON and CBOR', () => {
    const codec = compileService(
      smallModel(['awsJson1_0', 'rpcv2Cbor', 'awsQuery'], ({ shapes }) => {
        shapes.PutAnimalInput!.members!.Names!.locationName = 'AnimalName';
        shapes.PutAnimalOutput!.members!.Names!.locationName = 'AnimalName';
      }),
    );
    const [json, cbor, query] = codec.protocols;
    const body = json!.encode('PutAnimal', { Names: ['a'] }, 'r').body as string;
    expect(body).toBe('{"Names":["a"]}');
    expect(json!.decode('PutAnimal', request(body))).toEqual({ Names: ['a'] });
    const bytes = cbor!.encode('PutAnimal', { Names: ['a'] }, 'r').body as Uint8Array;
    expect(cbor!.decode('PutAnimal', { ...request(''), body: bytes })).toEqual({ Names: ['a'] });
    expect(query!.encode('PutAnimal', { Names: ['a'] }, 'r').body).toContain(
      '<AnimalName><member>a</member></AnimalName>',
    );
  });
});

describe('awsQuery answers in JSON', () => {
  const json = codecOf().protocolOf(
    request('Action=Ping', {
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )!;

  it('are for clients that accept nothing else', () => {
    const of = (accept?: string) =>
      codecOf().protocolOf(request('', { query: 'Action=Ping', headers: accept === undefined ? {} : { accept } }))!;
    expect(of('Application/JSON; q=1').encode('Ping', {}, 'r').headers['Content-Type']).toBe('application/json');
    for (const accept of [undefined, '*/*', 'text/xml, application/json'])
      expect(of(accept).encode('Ping', {}, 'r').headers['Content-Type']).toBe('text/xml;charset=UTF-8');
  });

  it('have missing members as null, and errors with their type', () => {
    const { body } = json.encode('PutAnimal', { Names: ['a'], Born: new Date(1500) }, 'r');
    expect(JSON.parse(body as string)).toMatchObject({
      PutAnimalResponse: {
        PutAnimalResult: { Names: ['a'], Born: 1.5, Name: null },
        ResponseMetadata: { RequestId: 'r' },
      },
    });
    const refused = json.encodeError(awsError('Wrong', 'why'), 'r');
    expect([refused.status, JSON.parse(refused.body as string)]).toEqual([
      400,
      { Error: { Code: 'Wrong', Message: 'why', Type: 'Sender' }, RequestId: 'r' },
    ]);
  });

  it('are requested in the same forms', () => {
    expect(json.match(request('Action=PutAnimal&Name=a'))?.name).toBe('PutAnimal');
    expect(json.decode('PutAnimal', request('Action=PutAnimal&Name=a'))).toEqual({ Name: 'a' });
  });
});
