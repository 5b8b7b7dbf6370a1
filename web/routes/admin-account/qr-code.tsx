import { encode } from 'uqr'

/** The quiet zone around a QR code, in modules (ISO/IEC 18004). */
const BORDER = 4

/** A text as a QR code, black on white whatever the colours of the page. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      css={{ display: 'block', width: '13rem', maxWidth: '100%', background: '#fff', forcedColorAdjust: 'none' }}
    >
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
