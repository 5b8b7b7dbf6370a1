import { useEffect, useRef, useState } from 'react'
import { inNumbers } from '../../../events/amount.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { colour, space, type, unseen } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import type { ExportProgress } from './workbook.ts'

/** Fewer rows are there before anybody could read a bar. */
const MIN_ROWS_OF_BAR = 5_000

const Bar = ({ rows, total }: ExportProgress) => (
  <label css={{ display: 'flex', alignItems: 'center', gap: space.snug, color: colour.soft, fontSize: type.small }}>
    <progress max={total} value={rows} css={{ width: '9rem', height: '0.5rem', accentColor: colour.accent }} />
    <span css={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {inNumbers(rows)} of {inNumbers(total)} rows
    </span>
  </label>
)

const Progress = (progress: ExportProgress) => {
  if (progress.total > MIN_ROWS_OF_BAR) return <Bar {...progress} />
  return (
    <span css={{ display: 'flex', alignItems: 'center', gap: space.tight, color: colour.soft, fontSize: type.small }}>
      <Spinner /> Exporting...
    </span>
  )
}

/** How an export runs: until its file is saved, or until `signal` is aborted. */
export type RunExport = (how: { signal: AbortSignal; onProgress: (progress: ExportProgress) => void }) => Promise<void>

/**
 * Starts an export, shows how far it is (with a bar above 5,000 rows), and cancels it: one button, which keeps the focus.
 * Its start and its end are announced; a failure is told in a toast.
 */
export const ExportButton = ({ label, disabled, run }: { label: string; disabled: boolean; run: RunExport }) => {
  const [progress, setProgress] = useState<ExportProgress>()
  const [news, setNews] = useState('')
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const cancelling = new AbortController()
    running.current = cancelling
    setProgress({ rows: 0, total: 0 })
    setNews('Exporting')
    try {
      await run({ signal: cancelling.signal, onProgress: setProgress })
      setNews('Export finished')
    } catch (error) {
      setNews(cancelling.signal.aborted ? 'Export cancelled' : '')
      if (cancelling.signal.aborted) return
      console.warn('The leads were not exported:', error)
      toast({
        title: 'The export failed',
        description: 'The export was interrupted, and nothing was saved. Try again.',
        variant: 'destructive',
      })
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
      <Button
        look={progress ? 'quiet' : 'solid'}
        disabled={disabled && !progress}
        onClick={({ detail }) => {
          if (!progress) start()
          // the second click of a double click was meant for the start
          else if (detail < 2) running.current?.abort()
        }}
      >
        {progress ? 'Cancel' : label}
      </Button>
      {progress && <Progress {...progress} />}
      <p role="status" css={unseen}>
        {news}
      </p>
    </div>
  )
}
