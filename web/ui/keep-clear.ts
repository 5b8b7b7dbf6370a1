/** The corner in which buttons float, in pixels. */
const CORNER_WIDTH_PX = 88
const CORNER_HEIGHT_PX = 152

/** Has the floating buttons step aside while a button of a form, or a link that looks like one, stands in their corner. */
export const keepFormsClear = () => {
  const inCorner = new Set<Element>()
  let observer: IntersectionObserver | undefined
  const watch = () => {
    observer?.disconnect()
    inCorner.clear()
    observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) inCorner[isIntersecting ? 'add' : 'delete'](target)
        document.body.toggleAttribute('data-clear-corner', inCorner.size > 0)
      },
      { rootMargin: `${CORNER_HEIGHT_PX - innerHeight}px 0px 0px ${CORNER_WIDTH_PX - innerWidth}px` },
    )
    for (const button of document.querySelectorAll('main form [type=submit], main [data-button]'))
      observer.observe(button)
  }
  addEventListener('resize', watch)
  watch()
}
