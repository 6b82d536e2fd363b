declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  const ece: {
    encrypt(
      plain: Buffer,
      params: { version: 'aes128gcm'; dh: Buffer; privateKey: ECDH; authSecret: Buffer; pad: number },
    ): Buffer;
  };
  export default ece;
}
