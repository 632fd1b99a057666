// Leads connections to AWS's host names to emu, for http, https, http2, fetch, undici and everything else on net and
// tls. Loaded before a program of any version of Node.js, so it uses old syntax.
'use strict';
const given = process.env._EMULATOR_AWS_NAMES;
// biome-ignore lint/style/useNodejsImportProtocol: Node.js 12 and older do not know it.
const net = require('net');
const MARK = Symbol.for('emu.names');

if (given && !net.Socket.prototype.connect[MARK]) {
  const { relay, authority, suffixes, exceptions } = JSON.parse(given);
  // biome-ignore lint/style/useNodejsImportProtocol: Node.js 12 and older do not know it.
  const tls = require('tls');

  /** Whether a host leads to emu. */
  const leads = (host) => {
    if (typeof host !== 'string') return false;
    const name = (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
    return (
      suffixes.some((suffix) => name.endsWith(suffix)) &&
      !exceptions.some(
        (except) => except === '*' || except === name || (except.startsWith('*.') && name.endsWith(except.slice(1))),
      )
    );
  };

  let certificate;
  /** The certificate of emu's authority. */
  const authorityOf = () => {
    // biome-ignore lint/style/useNodejsImportProtocol: Node.js 12 and older do not know it.
    certificate = certificate || require('fs').readFileSync(authority, 'utf8');
    return certificate;
  };

  /** Connections that lead to emu. */
  const redirected = new WeakSet();

  const connect = net.Socket.prototype.connect;
  const redirect = function (...args) {
    const [options, done] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
    if (options.path || !leads(options.host)) return connect.apply(this, args);
    const port = Number(options.port);
    if (port === 443 || port === 80) {
      redirected.add(this);
      const target = Object.assign({}, options, relay);
      for (const name of ['lookup', 'family', 'hints', 'localAddress', 'localPort']) delete target[name];
      return connect.call(this, target, done);
    }
    this.connecting = true;
    const message = `connect ECONNREFUSED ${options.host}:${port}: emu leads AWS's host names to itself on ports 443 and 80 only. EMULATOR_AWS_NAMES_EXCEPT lists names that lead to AWS.`;
    const refused = { code: 'ECONNREFUSED', syscall: 'connect', address: options.host, port };
    process.nextTick(() => this.destroy(Object.assign(new Error(message), refused)));
    return this;
  };
  redirect[MARK] = true;
  net.Socket.prototype.connect = redirect;

  const secure = tls.connect;
  tls.connect = function (...args) {
    const [first, done] = net._normalizeArgs(args);
    const more = [args[1], args[2]].find((value) => value !== null && typeof value === 'object');
    const options = Object.assign({}, first, more);
    const leading = options.socket ? redirected.has(options.socket) : !options.path && leads(options.host);
    if (!leading) return secure.apply(this, args);
    // Only this connection trusts the authority.
    options.ca = authorityOf();
    delete options.secureContext;
    return secure.call(this, options, done);
  };
}
