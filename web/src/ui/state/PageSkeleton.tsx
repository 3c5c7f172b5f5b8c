import styles from './PageSkeleton.module.css'

/** The outlines of a page: its bar, a card at its head, rows. A page of the shop begins with gold on ink. */
export const PageSkeleton = ({ isShop }: { isShop: boolean }) => (
  <div className={styles.page} data-shop={isShop || undefined}>
    <i />
    <i />
    <i />
    <i />
  </div>
)
