/** Numbers are written as the page writes them. */
export { bytes, columnFormat, count, missing, percent, significant, time, twoDecimals, withUnit } from '@foretrain/predictor/text'
