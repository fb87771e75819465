# The commands in an environment of their own, in the versions of constraints.txt.
ARG BASE=python:3.11-slim

FROM ${BASE} AS build
# The tool that installs stays behind, in an environment of its own.
RUN python3 -m venv /opt/installer && python3 -m venv --without-pip /opt/blackjack
COPY . /source
RUN /opt/installer/bin/pip --python /opt/blackjack/bin/python3 install --no-cache-dir \
      --constraint /source/constraints.txt "/source[metrics,fleet]"

FROM ${BASE}
RUN if ! command -v tini; then apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*; fi
# Nothing is installed in a running container.
RUN if python3 -m pip --version; then python3 -m pip uninstall --yes pip; fi
COPY --from=build /opt/blackjack /opt/blackjack
# A fresh named volume takes its owner from the folder that it covers.
RUN useradd --uid 1000 --create-home --shell /usr/sbin/nologin dealer \
 && install --directory --owner dealer --group dealer --mode 700 /bank /keys
USER dealer
WORKDIR /home/dealer
# Every address here is one of the container; who publishes the port decides who reaches
# it, and over plain lines: mount a certificate and name it to have them encrypted. The
# admin port is for the health check below, inside the container alone.
ENV PATH=/opt/blackjack/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    BJ_BANK=/bank \
    BJ_HOST=0.0.0.0 \
    BJ_INSECURE=1 \
    BJ_ADMIN_PORT=8766
VOLUME /bank
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
  CMD ["python3", "-c", "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"BJ_ADMIN_PORT\"]}/healthz', timeout=2)"]
# tini hands signals on. Wrong options (2), a taken address (3) and a bank that needs a
# hand (4) end as 0 outside, so that "restart: on-failure" does not try them for ever.
CMD ["tini", "-e", "2", "-e", "3", "-e", "4", "--", "bj-server"]
