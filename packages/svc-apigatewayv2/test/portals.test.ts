import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, type ApiTest, failureOf, REGION, startApis } from './support.ts';

const COLORS = {
  AccentColor: '#111111',
  BackgroundColor: '#222222',
  ErrorValidationColor: '#333333',
  HeaderColor: '#444444',
  NavigationColor: '#555555',
  TextColor: '#666666',
};
const PORTAL = {
  Authorization: { None: {} },
  EndpointConfiguration: { None: {} },
  PortalContent: { DisplayName: 'Pets', Theme: { CustomColors: COLORS } },
};
const SUBNET = 'subnet-0123456789abcdef0';
const arnOf = (path: string): string => `arn:aws:apigateway:${REGION}:${ACCOUNT}:${path}`;

/** A fake REST API `pets` with one method, deployed to `prod`. */
const apigateway = fakeService('apigateway', {
  GetStage({ restApiId, stageName }) {
    if (restApiId !== 'pets') throw awsError('NotFoundException', 'Invalid API identifier specified');
    if (stageName !== 'prod') throw awsError('NotFoundException', 'Invalid stage identifier specified');
    return { stageName };
  },
  GetExport: () => ({
    body: Buffer.from(
      JSON.stringify({
        paths: {
          '/pets': {
            get: {
              summary: 'All pets',
              parameters: [{ name: 'limit', in: 'query', description: 'at most' }],
              responses: { 200: { description: 'OK' } },
            },
          },
        },
      }),
    ),
  }),
  GetResources: ({ position }) =>
    position === undefined
      ? { items: [{ path: '/' }], position: '1' }
      : { items: [{ path: '/pets', resourceMethods: { GET: { operationName: 'listPets' } } }] },
});
const s3 = fakeService('s3', {
  GetObject: () => ({ Body: Buffer.from('logo'), ContentType: 'image/png' }),
  HeadObject({ Key }) {
    if (Key !== 'logo.png') throw awsError('NotFound', 'Not Found', { status: 404 });
    return {};
  },
});

let test: ApiTest;
let api: ApiTest['api'];
beforeAll(async () => {
  test = await startApis({ manifests: [apigateway, s3] });
  api = test.api;
});
afterAll(() => test[Symbol.asyncDispose]());

describe('VPC links', () => {
  it('are pending, then available, with changeable names and tags', async () => {
    const made = await api.createVpcLink({ Name: 'link', SubnetIds: [SUBNET], Tags: { a: 'b' } });
    expect(made).toMatchObject({
      Name: 'link',
      SecurityGroupIds: [],
      SubnetIds: [SUBNET],
      VpcLinkStatus: 'PENDING',
      VpcLinkVersion: 'V2',
    });
    const { VpcLinkId } = made;
    expect(await api.getVpcLink({ VpcLinkId })).toMatchObject({ VpcLinkStatus: 'AVAILABLE', Tags: { a: 'b' } });
    expect(await api.updateVpcLink({ VpcLinkId, Name: 'other' })).toMatchObject({ Name: 'other', SubnetIds: [SUBNET] });
    const ResourceArn = `arn:aws:apigateway:${REGION}::/vpclinks/${VpcLinkId}`;
    await api.tagResource({ ResourceArn, Tags: { c: 'd' } });
    expect((await api.getVpcLinks({})).Items).toMatchObject([{ VpcLinkId, Name: 'other', Tags: { a: 'b', c: 'd' } }]);
    await api.deleteVpcLink({ VpcLinkId });
    expect(await failureOf(api.getVpcLink({ VpcLinkId }))).toBe(
      'NotFoundException: Invalid Vpc Link identifier specified',
    );
  });

  it('require subnets and a name', async () => {
    const bad = (more: object) => failureOf(api.createVpcLink({ Name: 'x', SubnetIds: [SUBNET], ...more }));
    for (const more of [{ Name: '' }, { SubnetIds: [] }, { SubnetIds: ['x'] }, { SecurityGroupIds: ['sg-x'] }])
      expect(await bad(more)).toContain('BadRequestException');
    for (const run of [
      () => api.updateVpcLink({ VpcLinkId: 'none', Name: 'x' }),
      () => api.deleteVpcLink({ VpcLinkId: 'none' }),
    ])
      expect(await failureOf(run())).toContain('NotFoundException');
  });

  it('do not support load balancers', async () => {
    const ApiId = await test.create();
    const integration = api.createIntegration({
      ApiId,
      IntegrationType: 'HTTP_PROXY',
      IntegrationMethod: 'ANY',
      IntegrationUri: `arn:aws:elasticloadbalancing:${REGION}:${ACCOUNT}:listener/app/a/b/c`,
      ConnectionType: 'VPC_LINK',
      ConnectionId: 'link',
      PayloadFormatVersion: '1.0',
    });
    expect(await failureOf(integration)).toContain('NotImplemented');
  });
});

/** Creates a product and returns its id and ARN. */
async function product(): Promise<{ PortalProductId: string; arn: string }> {
  const { PortalProductId, PortalProductArn } = await api.createPortalProduct({ DisplayName: 'Adoption' });
  return { PortalProductId: PortalProductId!, arn: PortalProductArn! };
}

describe('portals', () => {
  it('validate products and colours', async () => {
    const { PortalProductId, arn } = await product();
    const made = await api.createPortal({ ...PORTAL, IncludedPortalProductArns: [arn], Tags: { a: 'b' } });
    const { PortalId } = made;
    expect(made).toMatchObject({
      Authorization: { None: {} },
      EndpointConfiguration: {
        PortalDefaultDomainName: `p-${PortalId}.apigw-portal.${REGION}.on.aws`,
        PortalDomainHostedZoneId: 'Z2FDTNDATAQYW2',
      },
      IncludedPortalProductArns: [arn],
      PortalArn: arnOf(`/portals/${PortalId}`),
      PortalContent: PORTAL.PortalContent,
      PublishStatus: 'DISABLED',
      Tags: { a: 'b' },
    });
    expect(await failureOf(api.deletePortalProduct({ PortalProductId }))).toContain('BadRequestException');
    const AcmManaged = {
      CertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/c`,
      DomainName: 'pets.example.com',
    };
    await api.updatePortal({ PortalId, IncludedPortalProductArns: [], EndpointConfiguration: { AcmManaged } });
    await api.updatePortal({ PortalId, LogoUri: 's3://b/logo.png', RumAppMonitorName: 'rum' });
    const changed = await api.getPortal({ PortalId });
    expect(changed).toMatchObject({
      EndpointConfiguration: AcmManaged,
      IncludedPortalProductArns: [],
      RumAppMonitorName: 'rum',
    });
    expect(changed.PortalContent!.Theme!.LogoLastUploaded).toBeInstanceOf(Date);
    expect((await api.listPortals({})).Items!.map((one) => one.PortalId)).toEqual([PortalId]);
    await api.untagResource({ ResourceArn: made.PortalArn, TagKeys: ['a'] });
    expect((await api.getPortal({ PortalId })).Tags).toEqual({});
    await api.deletePortal({ PortalId });
    expect(await failureOf(api.getPortal({ PortalId }))).toContain('NotFoundException');
    await api.deletePortalProduct({ PortalProductId });
    expect(await failureOf(api.getPortalProduct({ PortalProductId }))).toContain('NotFoundException');
  });

  it('reject invalid portals', async () => {
    const bad = (more: object) => failureOf(api.createPortal({ ...PORTAL, ...more }));
    const AcmManaged = { CertificateArn: `arn:aws:acm:eu-west-1:${ACCOUNT}:certificate/c`, DomainName: 'a.example' };
    for (const more of [
      { Authorization: {} },
      {
        Authorization: {
          CognitoConfig: { AppClientId: 'c', UserPoolArn: 'x'.repeat(20), UserPoolDomain: 'x'.repeat(20) },
        },
      },
      { EndpointConfiguration: {} },
      { EndpointConfiguration: { AcmManaged } },
      { IncludedPortalProductArns: [arnOf('/portalproducts/none')] },
      { IncludedPortalProductArns: ['arn:aws:sqs:us-east-1:000000000000:q'] },
      { LogoUri: 'https://a.example/logo.png' },
      { LogoUri: 's3://b/none.png' },
    ])
      expect(await bad(more)).toContain('BadRequestException');
    const other = `arn:aws:apigateway:${REGION}:999999999999:/portalproducts/p`;
    expect(await bad({ IncludedPortalProductArns: [other] })).toContain('NotImplemented');
    const { PortalId } = await api.createPortal(PORTAL);
    await api.deletePortal({ PortalId });
    expect(await failureOf(api.deletePortal({ PortalId }))).toContain('BadRequestException');
    for (const run of [
      () => api.publishPortal({ PortalId }),
      () => api.previewPortal({ PortalId }),
      () => api.disablePortal({ PortalId }),
    ])
      expect(await failureOf(run())).toContain('NotFoundException');
  });

  it('show the state at publication', async () => {
    const { PortalProductId, arn } = await product();
    const page = await api.createProductPage({
      PortalProductId,
      DisplayContent: { Title: 'Terms <1>', Body: '# Be kind\n<script>alert(1)</script> [x](javascript:alert(1))' },
    });
    const endpoint = await api.createProductRestEndpointPage({
      PortalProductId,
      RestEndpointIdentifier: {
        IdentifierParts: { RestApiId: 'pets', Stage: 'prod', Path: '/pets', Method: 'GET' },
      },
      TryItState: 'ENABLED',
    });
    const { PortalId } = await api.createPortal({
      ...PORTAL,
      IncludedPortalProductArns: [arn],
      LogoUri: 's3://b/logo.png',
      EndpointConfiguration: {
        AcmManaged: {
          CertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/c`,
          DomainName: 'pets.example.com',
        },
      },
    });
    const host = `p-${PortalId}.apigw-portal.${REGION}.on.aws`;
    const show = (path: string, from = host) => test.fetchHost(from, path);
    expect((await show('/')).status).toBe(404);
    await api.publishPortal({ PortalId, Description: 'first' });
    expect(await api.getPortal({ PortalId })).toMatchObject({
      PublishStatus: 'PUBLISHED',
      LastPublished: expect.any(Date),
      LastPublishedDescription: 'first',
    });
    const home = await show('/');
    expect(home.headers['content-security-policy']).toContain("default-src 'none'");
    expect(home.body).toContain(`<a href="/${PortalProductId}">Adoption</a>`);
    expect(home.body).toContain('--header:#444444;');
    expect(home.body).toContain('src="data:image/png;base64,bG9nbw=="');
    expect((await show('/', 'pets.example.com')).body).toBe(home.body);
    const path = `/_aws/apigw-portal/${PortalId}`;
    const listed = await show(`${path}/${PortalProductId}`, 'localhost:4566');
    expect(listed.body).toContain(
      `<a href="${path}/${PortalProductId}/pages/${page.ProductPageId}">Terms &lt;1&gt;</a>`,
    );
    const terms = await show(`/${PortalProductId}/pages/${page.ProductPageId}`);
    expect(terms.body).toContain('<h1>Be kind</h1>');
    expect(terms.body).not.toContain('<script>');
    expect(terms.body).not.toContain('href="javascript');
    const shown = `/${PortalProductId}/endpoints/${endpoint.ProductRestEndpointPageId}`;
    const method = await show(shown);
    expect(method.body).toContain(`GET https://pets.execute-api.${REGION}.amazonaws.com/prod/pets`);
    expect(method.body).toContain('<td>limit</td><td>query</td><td>no</td><td>at most</td>');
    expect(method.body).toContain('data-base="/_aws/execute-api/pets/prod" data-path="/pets"');
    expect((await show('/none')).status).toBe(404);
    expect((await test.fetchHost(host, '/', { method: 'POST' })).status).toBe(405);

    await api.updatePortalProduct({ PortalProductId, Description: 'later' });
    expect((await show('/')).body).not.toContain('later');
    await api.previewPortal({ PortalId });
    const { Preview } = await api.getPortal({ PortalId });
    expect(Preview).toEqual({
      PreviewStatus: 'PREVIEW_READY',
      PreviewUrl: expect.stringMatching(`^https://${host}/preview/[0-9a-f]{32}$`),
    });
    const preview = new URL(Preview!.PreviewUrl!).pathname;
    expect((await show(preview)).body).toContain('later');
    expect((await show(`${preview}${shown}`)).body).not.toContain('Try it');
    expect((await show('/preview/00000000000000000000000000000000/')).status).toBe(404);
    await test.advance(3_600_000);
    expect((await show(preview)).status).toBe(404);
    expect((await api.getPortal({ PortalId })).Preview).toBeUndefined();

    await api.publishPortal({ PortalId });
    expect((await show('/')).body).toContain('later');
    expect(await failureOf(api.deletePortal({ PortalId }))).toContain('Disable it before');
    await api.disablePortal({ PortalId });
    expect((await api.getPortal({ PortalId })).PublishStatus).toBe('DISABLED');
    expect((await show('/')).status).toBe(404);
    expect(await failureOf(api.disablePortal({ PortalId }))).toContain('ConflictException');
    await api.deletePortal({ PortalId });
  });

  it('cannot be published with unsupported authorization or an app monitor', async () => {
    const CognitoConfig = {
      AppClientId: 'c',
      UserPoolArn: `arn:aws:cognito-idp:${REGION}:${ACCOUNT}:userpool/${REGION}_abc`,
      UserPoolDomain: 'https://pets.auth.us-east-1.amazoncognito.com',
    };
    const { PortalId } = await api.createPortal({ ...PORTAL, Authorization: { CognitoConfig } });
    expect(await failureOf(api.publishPortal({ PortalId }))).toContain('NotImplemented');
    await api.updatePortal({ PortalId, Authorization: { None: {} }, RumAppMonitorName: 'rum' });
    expect(await failureOf(api.publishPortal({ PortalId }))).toContain('NotImplemented');
  });
});

describe('products of portals', () => {
  it('validate the order of pages and the sharing policy', async () => {
    const { PortalProductId, arn } = await product();
    const { ProductPageArn, ProductPageId } = await api.createProductPage({
      PortalProductId,
      DisplayContent: { Title: 'Terms', Body: 'Be kind.' },
    });
    expect(ProductPageArn).toBe(arnOf(`/portalproducts/${PortalProductId}/productpages/${ProductPageId}`));
    const order = { OverviewPageArn: ProductPageArn, ProductPageArns: [], Contents: [] };
    const changed = await api.updatePortalProduct({ PortalProductId, Description: 'd', DisplayOrder: order });
    expect(changed).toMatchObject({ Description: 'd', DisplayName: 'Adoption', DisplayOrder: order });
    const wrong = { OverviewPageArn: `${ProductPageArn}x` };
    expect(await failureOf(api.updatePortalProduct({ PortalProductId, DisplayOrder: wrong }))).toContain(
      'BadRequestException',
    );
    expect(await failureOf(api.deleteProductPage({ PortalProductId, ProductPageId }))).toContain('BadRequestException');
    expect((await api.listPortalProducts({})).Items).toContainEqual(
      expect.objectContaining({ PortalProductId, PortalProductArn: arn, Description: 'd' }),
    );
    expect(await failureOf(api.listPortalProducts({ ResourceOwner: 'OTHER_ACCOUNTS' }))).toContain('NotImplemented');
    const PolicyDocument = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: '*', Action: 'apigateway:GET', Resource: arn }],
    });
    const policy = { PortalProductId, PolicyDocument };
    expect(await failureOf(api.getPortalProductSharingPolicy({ PortalProductId }))).toContain('NotFoundException');
    expect(await failureOf(api.putPortalProductSharingPolicy({ ...policy, PolicyDocument: '{}' }))).toContain(
      'BadRequestException',
    );
    await api.putPortalProductSharingPolicy(policy);
    expect(await api.getPortalProductSharingPolicy({ PortalProductId })).toMatchObject(policy);
    await api.deletePortalProductSharingPolicy({ PortalProductId });
    expect(await failureOf(api.deletePortalProductSharingPolicy({ PortalProductId }))).toContain('NotFoundException');
  });

  it('have text pages', async () => {
    const { PortalProductId } = await product();
    const { ProductPageId } = await api.createProductPage({
      PortalProductId,
      DisplayContent: { Title: 'Terms', Body: 'Be kind.' },
    });
    const DisplayContent = { Title: 'Rules', Body: 'Be kinder.' };
    await api.updateProductPage({ PortalProductId, ProductPageId, DisplayContent });
    expect(await api.getProductPage({ PortalProductId, ProductPageId })).toMatchObject({ DisplayContent });
    expect((await api.listProductPages({ PortalProductId })).Items).toMatchObject([
      { ProductPageId, PageTitle: 'Rules' },
    ]);
    await api.deleteProductPage({ PortalProductId, ProductPageId });
    expect((await api.listProductPages({ PortalProductId })).Items).toEqual([]);
    expect(await failureOf(api.getProductPage({ PortalProductId, ProductPageId }))).toContain('NotFoundException');
    expect(await failureOf(api.listProductPages({ PortalProductId: 'none' }))).toContain('NotFoundException');
  });

  it('have pages about existing methods', async () => {
    const { PortalProductId } = await product();
    const IdentifierParts = { RestApiId: 'pets', Stage: 'prod', Path: '/pets', Method: 'GET' };
    const create = (parts: object, more: object = {}) =>
      api.createProductRestEndpointPage({
        PortalProductId,
        RestEndpointIdentifier: { IdentifierParts: { ...IdentifierParts, ...parts } },
        ...more,
      });
    const made = await create({});
    expect(made).toMatchObject({
      DisplayContent: {
        Endpoint: `https://pets.execute-api.${REGION}.amazonaws.com/prod`,
        OperationName: 'listPets',
      },
      Status: 'AVAILABLE',
      TryItState: 'DISABLED',
    });
    for (const parts of [{ RestApiId: 'none' }, { Stage: 'dev' }, { Path: '/none' }, { Method: 'PUT' }])
      expect(await failureOf(create(parts))).toContain('NotFoundException');
    expect(await failureOf(create({}))).toContain('BadRequestException');
    expect(await failureOf(create({ Method: 'GET' }, { DisplayContent: {} }))).toContain('BadRequestException');
    const page = { PortalProductId, ProductRestEndpointPageId: made.ProductRestEndpointPageId };
    const Overrides = { Endpoint: 'https://pets.example.com', Body: 'All pets', OperationName: 'pets' };
    await api.updateProductRestEndpointPage({ ...page, DisplayContent: { Overrides }, TryItState: 'ENABLED' });
    expect(await api.getProductRestEndpointPage(page)).toMatchObject({
      DisplayContent: Overrides,
      TryItState: 'ENABLED',
    });
    expect(await failureOf(api.getProductRestEndpointPage({ ...page, IncludeRawDisplayContent: 'true' }))).toContain(
      'NotImplemented',
    );
    expect((await api.listProductRestEndpointPages({ PortalProductId })).Items).toMatchObject([
      { Endpoint: 'https://pets.example.com', OperationName: 'pets', RestEndpointIdentifier: { IdentifierParts } },
    ]);
    const section = { SectionName: 's', ProductRestEndpointPageArns: [made.ProductRestEndpointPageArn!] };
    await api.updatePortalProduct({ PortalProductId, DisplayOrder: { Contents: [section] } });
    expect(await failureOf(api.deleteProductRestEndpointPage(page))).toContain('BadRequestException');
    await api.updatePortalProduct({ PortalProductId, DisplayOrder: { Contents: [] } });
    await api.deleteProductRestEndpointPage(page);
    expect(await failureOf(api.getProductRestEndpointPage(page))).toContain('NotFoundException');
  });
});
