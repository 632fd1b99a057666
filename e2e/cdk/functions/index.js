exports.handler = async () => ({ ok: true });
