import { texts } from '@guildhall/wire/locale.ts'
import { type PayWay, wayAppText, wayText } from '@guildhall/wire/payWay.ts'

/** Texts of a code that is shown to be paid. */
export const text = texts({
  'zh-CN': {
    scanWith: (way: PayWay) => `请用${wayAppText['zh-CN'][way]}扫码支付`,
    scanWhy: '付款后本页面会自动更新',
    payBy: (way: PayWay) => `用${wayAppText['zh-CN'][way]}支付`,
    open: (way: PayWay) => `打开${wayAppText['zh-CN'][way]}`,
    saveCode: '保存二维码',
    notOpened: (way: PayWay) => `没有打开${wayAppText['zh-CN'][way]}？可以这样支付：`,
    saveStep: '点「保存二维码」，图片会存到手机里',
    holdStep: '长按上方的二维码，保存到相册',
    scanStep: (way: PayWay) => `打开${wayAppText['zh-CN'][way]}，点「扫一扫」`,
    albumStep: '从「相册」里选择这张图片，然后付款',
    backStep: '付款后回到这里，页面会自动更新',
    qr: (way: PayWay) => `${wayText['zh-CN'][way]}二维码`,
    expired: '二维码已过期',
    renew: '刷新二维码',
  },
  en: {
    scanWith: (way: PayWay) => `Scan with ${wayAppText.en[way]} to pay`,
    scanWhy: 'This page updates once you have paid',
    payBy: (way: PayWay) => `Pay in ${wayAppText.en[way]}`,
    open: (way: PayWay) => `Open ${wayAppText.en[way]}`,
    saveCode: 'Save QR code',
    notOpened: (way: PayWay) => `${wayAppText.en[way]} did not open? Pay like this:`,
    saveStep: 'Tap “Save QR code”',
    holdStep: 'Hold the QR code above and save it to your album',
    scanStep: (way: PayWay) => `Open ${wayAppText.en[way]} and tap Scan`,
    albumStep: 'Choose the picture from the album, and pay',
    backStep: 'Come back here: this page updates once you have paid',
    qr: (way: PayWay) => `QR code for ${wayText.en[way]}`,
    expired: 'The QR code has expired',
    renew: 'Renew the QR code',
  },
})
