import { useSyncExternalStore } from 'react'
import { sizeInWords } from '../../../events/chat/file.ts'
import { colour, space, type, unseen } from '../../ui/theme.ts'
import type { Destination, FileTray, Transfer } from '../messaging/file-tray.ts'
import { fileButtonId } from './file-button.tsx'

const percentOf = (progress: number) => `${Math.round(progress * 100)}%`

const noteOf = ({ file, progress, refused }: Transfer) => {
  if (refused) return `Not sent. ${refused.reason}`
  return `${sizeInWords(file.size)} · ${progress === undefined ? 'waiting' : percentOf(progress)}`
}

const action = {
  flex: 'none',
  minHeight: '1.75rem',
  padding: `0 ${space.hair}`,
  border: 0,
  background: 'transparent',
  color: colour.ink,
  fontSize: '0.8125rem',
  textDecoration: 'underline',
  textUnderlineOffset: '0.15em',
} as const

const Item = (props: { transfer: Transfer; onRetry: () => void; onRemove: () => void }) => {
  const { file, progress, refused } = props.transfer
  return (
    <li
      css={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        alignItems: 'center',
        columnGap: space.tight,
      }}
    >
      <p dir="auto" css={{ overflow: 'hidden', fontWeight: 600, textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {file.name}
      </p>
      <div css={{ display: 'flex', gap: space.tight }}>
        {refused?.canRetry && (
          <button type="button" aria-label={`Try again: ${file.name}`} onClick={props.onRetry} css={action}>
            Try again
          </button>
        )}
        <button
          type="button"
          aria-label={refused ? `Remove ${file.name}` : `Cancel ${file.name}`}
          onClick={props.onRemove}
          css={action}
        >
          {refused ? 'Remove' : 'Cancel'}
        </button>
      </div>
      <p
        css={{
          gridColumn: '1 / -1',
          color: refused ? colour.bad : colour.soft,
          fontSize: '0.8125rem',
          lineHeight: 1.4,
          overflowWrap: 'anywhere',
        }}
      >
        {noteOf(props.transfer)}
      </p>
      {!refused && (
        <progress
          aria-label={`Sending ${file.name}`}
          value={progress ?? 0}
          css={{
            gridColumn: '1 / -1',
            width: '100%',
            height: '0.25rem',
            marginTop: space.hair,
            border: 0,
            borderRadius: '1px',
            appearance: 'none',
            background: colour.line,
            '::-webkit-progress-bar': { background: colour.line },
            '::-webkit-progress-value': { background: colour.accent },
            '::-moz-progress-bar': { background: colour.accent },
          }}
        />
      )}
    </li>
  )
}

/** For screen readers: that files are being sent, and which failed. A sent file is announced by its message. */
const announcement = (transfers: readonly Transfer[]) => {
  const refused = transfers.findLast((each) => each.refused)
  if (refused?.refused) return `${refused.file.name} was not sent. ${refused.refused.reason}`
  const [first, ...more] = transfers
  if (!first) return ''
  return more.length > 0 ? `Sending ${transfers.length} files` : `Sending ${first.file.name}`
}

export const FileTrayList = (props: { tray: FileTray; formId: string; to: Destination }) => {
  const { tray, to } = props
  const { transfers } = useSyncExternalStore(tray.subscribe, tray.get, tray.get)
  const returnFocus = () => document.getElementById(fileButtonId(props.formId))?.focus()
  return (
    <>
      {transfers.length > 0 && (
        <ul
          aria-label="Files to send"
          css={{
            display: 'grid',
            flex: 'none',
            gap: space.tight,
            maxHeight: 'min(9.5rem, 35%)',
            padding: `${space.tight} ${space.base}`,
            overflowY: 'auto',
            borderTop: `1px solid ${colour.line}`,
            fontSize: type.small,
          }}
        >
          {transfers.map((transfer) => (
            <Item
              key={transfer.id}
              transfer={transfer}
              onRetry={() => {
                tray.retry(transfer.id, to)
                returnFocus()
              }}
              onRemove={() => {
                tray.remove(transfer.id)
                returnFocus()
              }}
            />
          ))}
        </ul>
      )}
      <p role="status" css={unseen}>
        {announcement(transfers)}
      </p>
    </>
  )
}
