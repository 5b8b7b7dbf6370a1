import {
  type DragEvent,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { CloseIcon } from '../icons.tsx'
import { colour, from, radius, shadow, size, space, type } from '../theme.ts'
import { currentToast, dismissToast, onToastChange, TOAST_DURATION_MS, type Toast } from './toasts.ts'

const SWIPE_THRESHOLD_PX = 50

/** The space that the round buttons in the corner of public pages need. */
const BUTTONS_WIDTH = '5.5rem'

/** The width below which a toast's action moves below its text. */
const onSmallPhone = '@media (max-width: 480px)'

/** The width of a line next to the dismiss button. */
const TITLE_WIDTH = `calc(100% - 2rem - ${space.base})`

/** Closes a toast after its time, unless it is pointed at or focused, or when it is swiped to the right. */
const useDismissal = ({ id, stays }: Toast) => {
  const [held, setHeld] = useState(false)
  const [offset, setOffset] = useState(0)
  const start = useRef<number>(undefined)
  useEffect(() => {
    if (held || stays) return
    const timer = setTimeout(() => dismissToast(id), TOAST_DURATION_MS)
    return () => clearTimeout(timer)
  }, [id, held, stays])

  // by the event, since the offset of the last move may not have been rendered yet
  const release = ({ clientX }: PointerEvent) => {
    if (clientX - (start.current ?? clientX) > SWIPE_THRESHOLD_PX) dismissToast(id)
    start.current = undefined
    setOffset(0)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.clientX
    },
    onPointerMove: (event: PointerEvent) => {
      if (start.current !== undefined) setOffset(Math.max(0, event.clientX - start.current))
    },
    onPointerUp: release,
    // Over words that an earlier swipe has selected the browser would drag those away instead.
    onDragStart: (event: DragEvent) => event.preventDefault(),
    onPointerEnter: () => setHeld(true),
    onPointerLeave: (event: PointerEvent) => {
      setHeld(false)
      release(event)
    },
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
  return { handlers, offset }
}

const ActionButton = ({ id, action }: { id: Toast['id']; action: NonNullable<Toast['action']> }) => (
  <button
    type="button"
    onClick={() => {
      dismissToast(id)
      action.run()
    }}
    css={{
      flex: 'none',
      marginLeft: 'auto',
      minHeight: size.quiet,
      [onSmallPhone]: { order: 1 },
      padding: `${space.hair} ${space.snug}`,
      border: `1px solid ${colour.onInkSoft}`,
      borderRadius: radius.control,
      background: 'transparent',
      fontSize: type.small,
      fontWeight: 600,
      ':hover': { borderColor: colour.onInk },
      ':focus-visible': { outlineColor: colour.onInk },
    }}
  >
    {action.label}
  </button>
)

/** Goes to another screen within the page; without it a link loads the other page. */
type Go = (address: string) => void

const About = ({ id, about, go }: { id: Toast['id']; about: NonNullable<Toast['about']>; go: Go | undefined }) => {
  const follow = (event: MouseEvent) => {
    if (!go || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    dismissToast(id)
    go(about.address)
  }
  return (
    <a
      href={about.address}
      onClick={follow}
      css={{ color: 'inherit', ':focus-visible': { outlineColor: colour.onInk } }}
    >
      {about.name}
    </a>
  )
}

const ToastPanel = ({ toast, go }: { toast: Toast; go: Go | undefined }) => {
  const { handlers, offset } = useDismissal(toast)
  const bad = toast.variant === 'destructive'
  return (
    <div
      {...handlers}
      css={{
        display: 'flex',
        alignItems: 'flex-start',
        justifyContent: 'space-between',
        gap: space.base,
        padding: space.base,
        [onSmallPhone]: { flexWrap: 'wrap', rowGap: space.hair, padding: space.snug },
        // Otherwise it would vanish over the equally dark footer.
        border: `1px solid ${bad ? colour.bad : colour.onInkSoft}`,
        borderRadius: radius.card,
        background: bad ? colour.bad : colour.ink,
        color: colour.onInk,
        boxShadow: shadow.floating,
        touchAction: 'pan-y',
        pointerEvents: 'auto',
      }}
      style={offset ? { transform: `translateX(${offset}px)` } : undefined}
    >
      <div css={{ flex: 1, minWidth: 0, [onSmallPhone]: { flexBasis: TITLE_WIDTH } }}>
        <p css={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {toast.title}
          {toast.about && (
            <>
              {': '}
              <About id={toast.id} about={toast.about} go={go} />
            </>
          )}
        </p>
        {toast.description && <p css={{ fontSize: type.small }}>{toast.description}</p>}
      </div>
      {toast.action && <ActionButton id={toast.id} action={toast.action} />}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismissToast(toast.id)}
        css={{
          display: 'grid',
          placeItems: 'center',
          width: size.quiet,
          height: size.quiet,
          flex: 'none',
          margin: `-${space.tight}`,
          border: 0,
          background: 'transparent',
          ':focus-visible': { outlineColor: colour.onInk },
        }}
      >
        <CloseIcon />
      </button>
    </div>
  )
}

/** Returns the focus to where it came from when a toast goes that has it, before a dialog that the toast opens takes it. */
const useFocusBack = (toast: Toast | undefined) => {
  const origin = useRef<EventTarget>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the toast before this one is gone
  useLayoutEffect(() => {
    if (document.activeElement === document.body && origin.current instanceof HTMLElement) origin.current.focus()
  }, [toast])
  return {
    onFocus: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) origin.current = null
    },
  }
}

/** The notification region: at the top on small screens, bottom right on larger ones; F8 focuses it (specification, 9). */
export const Toaster = ({ go }: { go?: Go }) => {
  const toast = useSyncExternalStore(onToastChange, currentToast, currentToast)
  const region = useRef<HTMLElement>(null)
  const focusBack = useFocusBack(toast)
  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => event.key === 'F8' && region.current?.focus()
    addEventListener('keydown', focusRegion)
    return () => removeEventListener('keydown', focusRegion)
  }, [])
  const urgent = toast?.variant === 'destructive'
  return (
    <section
      ref={region}
      {...focusBack}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      css={{
        position: 'fixed',
        zIndex: 70,
        inset: `${space.base} ${space.base} auto`,
        pointerEvents: 'none',
        // above the bar of a small window, and next to the floating buttons of a large one
        [from.medium]: { inset: 'auto 1.5rem calc(var(--bar, 0px) + 1.5rem) auto', width: 420, maxWidth: 420 },
        [from.large]: { 'body:has([data-island=chat]) &': { right: BUTTONS_WIDTH } },
      }}
    >
      <div role="status">{toast && !urgent && <ToastPanel key={toast.id} toast={toast} go={go} />}</div>
      <div role="alert">{toast && urgent && <ToastPanel key={toast.id} toast={toast} go={go} />}</div>
    </section>
  )
}
