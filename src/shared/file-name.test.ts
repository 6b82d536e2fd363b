import { describe, expect, test } from 'vitest';
import { cleanFileName, savedFileName } from './file-name.ts';

describe('cleanFileName', () => {
  test.each([
    ['photo.png', 'photo.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\x\\report.pdf', 'report.pdf'],
    ['a\r\nX: y.pdf', 'aX: y.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u200bb\ufeffc.pdf', 'abc.pdf'],
    ['👨‍👩‍👧 and 🏳️‍🌈.png', '👨‍👩‍👧 and 🏳️‍🌈.png'],
    ['  two   words .pdf', 'two words .pdf'],
    ['Mu\u0308ller.pdf', 'Müller.pdf'],
    ['\ud800x.pdf', '\ufffdx.pdf'],
    ['.htaccess', 'htaccess'],
    ['', 'file'],
    ['..', 'file'],
    ['/', 'file'],
    ['\u0000\u0007', 'file'],
    [`${'n'.repeat(4096)}.pdf`, `${'n'.repeat(251)}.pdf`],
    ['😀'.repeat(300), '😀'.repeat(255)],
  ])('%j is %j', (text, name) => expect(cleanFileName(text)).toBe(name));
});

describe('savedFileName', () => {
  test.each([
    ['photo.png', 'image/jpeg', 'photo.jpg'],
    ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
    ['photo.png', 'image/webp', 'photo.webp'],
    ['page.html', 'image/jpeg', 'page.html.jpg'],
    ['page.html', 'application/pdf', 'page.html.pdf'],
    ['Report.PDF', 'application/pdf', 'Report.PDF'],
    ['file', 'application/pdf', 'file.pdf'],
  ] as const)('%j as %s is %j', (name, type, saved) => expect(savedFileName(name, type)).toBe(saved));
});
