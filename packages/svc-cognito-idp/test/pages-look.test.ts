import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CognitoTest, countedFailureOf, failureOf, type Made, startCognito } from './support.ts';

const REDIRECT = 'https://app.example.com/callback';
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const CSS = '.submitButton-customizable { background-color: rebeccapurple; }';

describe('appearance of hosted pages', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make(
      { AutoVerifiedAttributes: ['email'] },
      {
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid'],
        CallbackURLs: [REDIRECT],
        SupportedIdentityProviders: ['COGNITO'],
      },
    );
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const fetch = (url: string) => test.emulator.gateway.fetch(new Request(url)) as Promise<Response>;
  const loginPage = async () => {
    const query = new URLSearchParams({ client_id: made.ClientId, redirect_uri: REDIRECT, response_type: 'code' });
    return (await fetch(`http://localhost:4566/${made.UserPoolId}/login?${query.toString()}`)).text();
  };

  it('is customized for a pool and its clients if the pool has a domain', async () => {
    const { cognito } = test;
    const { UserPoolId, ClientId } = made;
    expect(await failureOf(cognito.setUICustomization({ UserPoolId, CSS }))).toBe(
      'InvalidParameterException: There has to be an existing domain associated with this user pool',
    );
    await cognito.createUserPoolDomain({ UserPoolId, Domain: 'looks' });
    expect((await cognito.getUICustomization({ UserPoolId })).UICustomization).toEqual({});
    const { UICustomization } = await cognito.setUICustomization({ UserPoolId, CSS, ImageFile: PNG });
    expect(UICustomization).toMatchObject({ ClientId: 'ALL', CSS, CSSVersion: '20260101000000' });
    const image = await fetch(UICustomization!.ImageUrl!);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    const page = await loginPage();
    expect(page).toContain(CSS);
    expect(page).toContain(`data:image/png;base64,${PNG.toString('base64')}`);
    expect((await cognito.getUICustomization({ UserPoolId, ClientId })).UICustomization).toMatchObject({
      ClientId: 'ALL',
    });
    await cognito.setUICustomization({ UserPoolId, ClientId, CSS: '.banner-customizable { padding: 0 }' });
    expect(await loginPage()).not.toContain(CSS);
    for (const bad of ['.other { color: red }', '.banner-customizable { background: url(x) }', '</style>', 'x'])
      expect(await failureOf(cognito.setUICustomization({ UserPoolId, CSS: bad }))).toContain(
        'InvalidParameterException',
      );
    expect(await failureOf(cognito.setUICustomization({ UserPoolId, ImageFile: Buffer.from('GIF89a') }))).toContain(
      'InvalidParameterException',
    );
    expect(await failureOf(cognito.getUICustomization({ UserPoolId, ClientId: 'other' }))).toContain(
      'ResourceNotFoundException',
    );
  });

  it("follows the client's branding style for managed login", async () => {
    const { cognito } = test;
    const { UserPoolId, ClientId } = made;
    await cognito.updateUserPoolDomain({ UserPoolId, Domain: 'looks', ManagedLoginVersion: 2 });
    const Settings = { components: { pageBackground: { lightMode: { color: 'aabbccff' } } } };
    const logo = { Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'PNG', Bytes: PNG } as const;
    const { ManagedLoginBranding: made_ } = await cognito.createManagedLoginBranding({
      UserPoolId,
      ClientId,
      Settings,
      Assets: [logo],
    });
    const id = { UserPoolId, ManagedLoginBrandingId: made_!.ManagedLoginBrandingId! };
    const page = await loginPage();
    expect(page).toContain('background-color:#aabbccff');
    expect(page).toContain(PNG.toString('base64'));
    expect(page).not.toContain('banner-customizable { padding');
    const { ManagedLoginBranding } = await cognito.describeManagedLoginBrandingByClient({ UserPoolId, ClientId });
    expect(ManagedLoginBranding).toMatchObject({ ...id, UseCognitoProvidedValues: false, Settings });
    expect(Buffer.from(ManagedLoginBranding!.Assets![0]!.Bytes!)).toEqual(PNG);
    expect(await failureOf(cognito.createManagedLoginBranding({ UserPoolId, ClientId }))).toContain(
      'ManagedLoginBrandingExistsException',
    );
    expect(
      await failureOf(cognito.updateManagedLoginBranding({ ...id, UseCognitoProvidedValues: true, Settings })),
    ).toContain('InvalidParameterException');
    await cognito.updateManagedLoginBranding({ ...id, Assets: [{ ...logo, Category: 'FORM_BACKGROUND' }] });
    const changed = (await cognito.describeManagedLoginBranding(id)).ManagedLoginBranding!;
    expect(changed.Assets!.map(({ Category }) => Category)).toEqual(['FORM_LOGO', 'FORM_BACKGROUND']);
    expect(changed.Settings).toEqual(Settings);
    expect(await failureOf(cognito.describeManagedLoginBranding({ ...id, ReturnMergedResources: true }))).toContain(
      'NotImplemented',
    );
    await cognito.updateManagedLoginBranding({ ...id, UseCognitoProvidedValues: true });
    expect(await loginPage()).not.toContain('#aabbccff');
    await cognito.deleteManagedLoginBranding(id);
    expect(await failureOf(cognito.describeManagedLoginBranding(id))).toContain('ResourceNotFoundException');
    expect(await failureOf(cognito.describeManagedLoginBrandingByClient({ UserPoolId, ClientId }))).toContain(
      'ResourceNotFoundException',
    );
  });

  it('confirms a user by the e-mail link, if the pool sends links', async () => {
    const linked = await test.make({
      AutoVerifiedAttributes: ['email'],
      VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_LINK' },
    });
    await test.cognito.signUp({
      ClientId: linked.ClientId,
      Username: 'jane',
      Password: 'Passw0rd!',
      UserAttributes: [{ Name: 'email', Value: 'jane@example.com' }],
    });
    const { link } = await test.code(linked, 'jane');
    const wrong = await fetch(link!.replace(/\d{6}$/, '000000'));
    expect(await wrong.text()).toContain('Invalid verification code provided');
    expect(await countedFailureOf(test.signIn(linked))).toContain('UserNotConfirmedException');
    expect(await (await fetch(link!)).text()).toContain('Your registration has been confirmed!');
    expect(await test.signIn(linked)).toBeDefined();
  });

  it("delivers logs to the pool's destinations", async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    const logs = { LogGroupArn: 'arn:aws:logs:us-east-1:000000000000:log-group:cognito' };
    const LogConfigurations = [
      { LogLevel: 'ERROR', EventSource: 'userNotification', CloudWatchLogsConfiguration: logs },
    ] as const;
    const { LogDeliveryConfiguration } = await cognito.setLogDeliveryConfiguration({
      UserPoolId,
      LogConfigurations: [...LogConfigurations],
    });
    expect(LogDeliveryConfiguration).toEqual({ UserPoolId, LogConfigurations });
    const refused = (configuration: object) =>
      failureOf(
        cognito.setLogDeliveryConfiguration({
          UserPoolId,
          LogConfigurations: [{ ...LogConfigurations[0], ...configuration }],
        }),
      );
    expect(await refused({ LogLevel: 'INFO' })).toContain('InvalidParameterException');
    expect(await refused({ CloudWatchLogsConfiguration: undefined })).toContain('InvalidParameterException');
    expect(await refused({ CloudWatchLogsConfiguration: { LogGroupArn: 'arn:aws:s3:::bucket' } })).toContain(
      'InvalidParameterException',
    );
    expect(await refused({ EventSource: 'userAuthEvents', LogLevel: 'INFO' })).toContain(
      'FeatureUnavailableInTierException',
    );
    expect(await cognito.getLogDeliveryConfiguration({ UserPoolId })).toMatchObject({ LogDeliveryConfiguration });
    await cognito.setLogDeliveryConfiguration({ UserPoolId, LogConfigurations: [] });
    expect((await cognito.getLogDeliveryConfiguration({ UserPoolId })).LogDeliveryConfiguration).toEqual({
      UserPoolId,
      LogConfigurations: [],
    });
  });
});
