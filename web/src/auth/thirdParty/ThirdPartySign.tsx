import type { ThirdPartyName } from '@guildhall/wire/auth/thirdPartyNames.ts'
import styles from './ThirdPartySign.module.css'

const pictures = {
  qq: 'M12 2.500c-3.300 0-5.600 2.500-5.600 5.800v1.500C5.200 11.600 4 13.800 4 15.400c0 1 .3 1.300.6 1.300.5 0 1.100-.7 1.500-1.400.3 1 .8 1.900 1.500 2.700-.9.4-1.500.9-1.500 1.500 0 1.100 1.600 1.700 3.700 1.700 1 0 1.800-.2 2.200-.6.4.4 1.200.6 2.200.6 2.100 0 3.700-.6 3.700-1.700 0-.6-.6-1.100-1.500-1.500.7-.8 1.200-1.700 1.500-2.700.4.7 1 1.400 1.500 1.400.3 0 .6-.3.6-1.300 0-1.600-1.200-3.800-2.400-5.600V8.300c0-3.300-2.300-5.800-5.600-5.800z',
  weixin:
    'M9.200 3.500C4.900 3.500 1.500 6.300 1.500 9.800c0 2 1.100 3.700 2.800 4.900l-.7 2.200 2.600-1.300c.9.3 1.900.4 3 .4h.5a5.200 5.200 0 0 1-.2-1.400c0-3.200 3.100-5.700 6.900-5.700h.5C16.300 5.800 13 3.500 9.200 3.500zM6.600 6.700a1 1 0 1 1 0 2 1 1 0 0 1 0-2zm5.100 0a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM22.500 14.600c0-2.900-2.700-5.200-6.100-5.200s-6.100 2.300-6.100 5.200 2.700 5.200 6.100 5.200c.7 0 1.400-.1 2-.3l2.100 1.100-.6-1.800c1.600-.9 2.600-2.500 2.600-4.200zM14.400 12a.8.8 0 1 1 0 1.600.8.8 0 0 1 0-1.600zm4 0a.8.8 0 1 1 0 1.600.8.8 0 0 1 0-1.600z',
}

/** The sign of a third party in its own colour. Decoration: its name stands beside it. */
export const ThirdPartySign = ({ of, size }: { of: ThirdPartyName; size: number }) => (
  <svg
    className={`${styles.sign} ${styles[of]}`}
    viewBox="-8 -8 40 40"
    width={size}
    height={size}
    aria-hidden="true"
  >
    <path fill="currentColor" fillRule="evenodd" d={pictures[of]} />
  </svg>
)
