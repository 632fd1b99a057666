import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { makeCertificate } from '../../../packages/svc-iam/test/certificates.ts';
import { SignedXml } from '../../../packages/svc-sts/src/saml/xml-crypto.js';

const ENTITY = 'https://idp.example.com/metadata';
const SIGN_ON = 'https://idp.example.com/sso';
const SIGN_OUT = 'https://idp.example.com/slo';

interface ResponseOptions {
  audience?: string;
  /** Whether the response is unsolicited: it names no request. */
  isUnasked?: boolean;
}

/** A SAML identity provider. */
export interface SamlProvider {
  readonly metadata: string;
  /** Returns the response for a browser's sign-in, in base64. */
  respond(address: string, nameId: string, attributes: Record<string, string>, more?: ResponseOptions): string;
}

/** Parses a request of the redirect binding. */
export const requestIn = (address: string): string =>
  inflateRawSync(Buffer.from(new URL(address).searchParams.get('SAMLRequest')!, 'base64')).toString();

/** Creates a SAML identity provider with a new key. */
export async function makeSamlProvider(): Promise<SamlProvider> {
  const { private: privateKey, cert } = await makeCertificate('idp');
  const bare = cert.replace(/-----[^-]+-----|\s/g, '');
  const service = (name: string, location: string): string =>
    `<md:${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${location}"/>`;
  const key = `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${bare}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${key}${service('SingleLogoutService', SIGN_OUT)}${service('SingleSignOnService', SIGN_ON)}</md:IDPSSODescriptor></md:EntityDescriptor>`;
  const respond: SamlProvider['respond'] = (address, nameId, attributes, more = {}) => {
    const request = requestIn(address);
    const of = (name: string): string => new RegExp(`${name}="([^"]+)"`).exec(request)![1]!;
    const recipient = of('AssertionConsumerServiceURL');
    const inResponseTo = more.isUnasked ? '' : ` InResponseTo="${of(' ID')}"`;
    const audience = more.audience ?? /<saml:Issuer[^>]*>([^<]+)</.exec(request)![1]!;
    const now = Date.now();
    const time = (offset: number): string => new Date(now + offset).toISOString();
    const values = Object.entries(attributes).map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    );
    const id = `_${randomUUID()}`;
    const assertion = [
      `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${time(0)}">`,
      `<saml:Issuer>${ENTITY}</saml:Issuer>`,
      `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${nameId}</saml:NameID>`,
      `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${inResponseTo} NotOnOrAfter="${time(60_000)}" Recipient="${recipient}"/></saml:SubjectConfirmation></saml:Subject>`,
      `<saml:Conditions NotBefore="${time(-60_000)}" NotOnOrAfter="${time(60_000)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
      `<saml:AuthnStatement AuthnInstant="${time(0)}" SessionIndex="session"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
      `<saml:AttributeStatement>${values.join('')}</saml:AttributeStatement></saml:Assertion>`,
    ].join('');
    const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${time(0)}"${inResponseTo} Destination="${recipient}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${ENTITY}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
    const signature = new SignedXml({
      privateKey,
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    });
    signature.addReference({
      xpath: `//*[@ID="${id}"]`,
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
      transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    });
    signature.computeSignature(response, {
      location: { reference: `//*[@ID="${id}"]`, action: 'append' },
    });
    return Buffer.from(signature.getSignedXml()).toString('base64');
  };
  return { metadata, respond };
}
